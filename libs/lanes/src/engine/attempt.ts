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
        end({ kind: 'unknown', blame: 'either', reason: `no end within ${limitMs} ms` }, true);
      },
    };
    handOver(handler, held).then(
      (answer) => {
        end(
          isAnswer(answer)
            ? answer
            : outcomeOfError(new TypeError('the handler did not say what came of it')),
          false,
        );
      },
      (error: unknown) => {
        end(outcomeOfError(error), false);
      },
    );
  });
}

const KINDS: readonly unknown[] = [
  'delivered',
  'later',
  'unknown',
  'failed',
  'absent',
  'refused',
] satisfies Answer['kind'][];

/** A forgotten `return` in a handler must not end the process. */
function isAnswer(said: unknown): said is Answer {
  if (typeof said !== 'object' || said === null) return false;
  const { kind, reason } = said as { kind?: unknown; reason?: unknown };
  return KINDS.includes(kind) && (kind === 'delivered' || typeof reason === 'string');
}

async function handOver(handler: LaneHandler, held: Held): Promise<unknown> {
  const { message } = held;
  if (message.asks > 0 && handler.ask) return handler.ask(message, held);
  return handler.deliver(message, held);
}
