import { type Answer } from '@malote/retry-policy';
import { type LaneMessage } from '../lane/lane.ts';
import { type Settlement } from '../lane/settlement.ts';

export type AttemptResult = 'delivered' | 'later' | 'unknown' | 'absent' | 'failed' | 'final';

/** What the engine tells whoever counts and keeps the log. */
export interface LaneObserver {
  claimed?(lane: string, count: number, seconds: number): void;
  attempted?(lane: string, result: AttemptResult, seconds: number): void;
  settled?(lane: string, settlement: Settlement): void;
  lostLease?(lane: string, count: number): void;
  /** A delivery did not end in time; its handler may still be at it. */
  overdue?(lane: string, message: LaneMessage): void;
  troubled?(lane: string, error: unknown): void;
}

export function resultOf(answer: Answer): AttemptResult {
  switch (answer.kind) {
    case 'failed':
      return answer.final ? 'final' : 'failed';
    case 'refused':
      return 'final';
    default:
      return answer.kind;
  }
}
