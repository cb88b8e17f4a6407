import { type Answer, type AskConfig, decide, type Decision, type RetryConfig } from '@malote/retry-policy';
import { type LaneMessage } from '../lane/lane.ts';
import { type Settlement } from '../lane/settlement.ts';
import { type TargetGate, type TargetNames } from '../targets/target-gate.ts';
import { type Attempted } from './attempt.ts';
import { type Held } from './held-rows.ts';

export interface Rules {
  readonly retry: RetryConfig;
  /** Undefined where a message may safely be sent twice. */
  readonly ask: AskConfig | undefined;
}

/** What becomes of the row, and what the attempt has shown of its target. */
export interface Conclusion {
  readonly settlement: Settlement;
  readonly evidence: Pick<Decision, 'evidence' | 'blockMs'>;
}

export function conclude(
  { message, signal, wasTooLate }: Held,
  { answer, isOverdue }: Attempted,
  { group }: TargetNames,
  gate: TargetGate,
  { retry, ask }: Rules,
): Conclusion {
  const { attempt, asks, absentForMs } = message;
  const decision = decide({
    outcome: answer,
    attempt,
    retry,
    doubt: ask && { asks, absentForMs, config: ask },
    targetIsDown: gate.isDown(group),
    targetHasServed: gate.hasServedSince(group, message.createdAt),
    wasCutOff: (signal.aborted || wasTooLate) && !isOverdue,
  });
  return { settlement: settlementOf(message, answer, decision), evidence: decision };
}

function settlementOf(message: LaneMessage, answer: Answer, decision: Decision): Settlement {
  const { verdict, delayMs, error, isCertain, needsHuman, saysAbsent } = decision;
  const receipt = answer.kind === 'delivered' ? answer.receipt : undefined;
  return {
    message,
    verdict,
    delayMs,
    error,
    isCertain,
    ...(receipt !== undefined && { receipt }),
    ...(needsHuman && { needsHuman }),
    ...(saysAbsent !== undefined && { saysAbsent }),
  };
}

/** Puts a row back as if it had never been claimed; in an askable lane what is in doubt stays so. */
export function handBack(message: LaneMessage, delayMs = 0): Settlement {
  return { message, verdict: 'return', delayMs, error: null, isCertain: false };
}

/** Not certain of anything: when somebody brings it back, its target is asked first. */
export function giveUp(message: LaneMessage, { ask }: Rules): Settlement {
  const error = `gave up: ${message.abandonments} workers vanished while holding this row`;
  const doubt = ask && { needsHuman: true as const };
  return { message, verdict: 'dead', delayMs: 0, error, isCertain: false, ...doubt };
}

/** What came of it cannot be written down as it is: the row says so, and the message is tried again or asked about. */
export function unwritable({ message }: Settlement, error: unknown, { retry, ask }: Rules): Settlement {
  const { attempt, asks, absentForMs } = message;
  const reason = `what came of it could not be written down: ${String(error)}`;
  const { verdict, delayMs, ...decision } = decide({
    outcome: { kind: 'failed', blame: 'message', reason, final: false },
    attempt,
    retry,
    doubt: ask && { asks, absentForMs, config: ask },
    targetIsDown: false,
    targetHasServed: true,
  });
  return { message, verdict, delayMs, error: decision.error, isCertain: decision.isCertain, isBare: true };
}
