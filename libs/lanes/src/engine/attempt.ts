import { type Answer } from '@malote/retry-policy';
import { type Held } from './held-rows.ts';
import { type LaneHandler, outcomeOfError } from './lane-handler.ts';

export interface Attempted {
  readonly answer: Answer;
  /** It did not end in time; its handler may still be at it. */
  readonly isOverdue: boolean;
  readonly seconds: number;
}

/** Ends when the handler does, or when the row is given up because it takes longer than any delivery may. */
export function attempt(handler: LaneHandler, held: Held, limitMs: number): Promise<Attempted> {
  const begunAt = performance.now();
  return new Promise((resolve) => {
    const end = (answer: Answer, isOverdue: boolean) => {
      held.attempt = undefined;
      resolve({ answer, isOverdue, seconds: (performance.now() - begunAt) / 1000 });
    };
    held.attempt = {
      begunAt,
      giveUp: () => {
        held.cutOff();
        const reason = `no end within ${limitMs} ms`;
        end({ kind: 'failed', blame: 'message', reason, final: false }, true);
      },
    };
    handOver(handler, held).then(
      (answer) => {
        end(answer, false);
      },
      (error: unknown) => {
        end(outcomeOfError(error), false);
      },
    );
  });
}

async function handOver(handler: LaneHandler, held: Held): Promise<Answer> {
  const { message } = held;
  if (message.asks > 0 && handler.ask) return handler.ask(message, held);
  return handler.deliver(message, held);
}
