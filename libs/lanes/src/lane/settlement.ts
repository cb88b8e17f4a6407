import { type Verdict } from '@malote/retry-policy';
import { type LaneMessage } from './lane.ts';

/** How a claimed row ends. */
export interface Settlement {
  readonly message: LaneMessage;
  readonly verdict: Verdict;
  readonly delayMs: number;
  /** Null keeps what the row says of its last failure; a delivered row says nothing. */
  readonly error: string | null;
  /** In an askable lane: it is known what the target has, and the row may be delivered again. */
  readonly isCertain: boolean;
  /** The target says that it does not have the message (true), or that it does (false). */
  readonly saysAbsent?: boolean;
  /** What the target answered to a message it took. */
  readonly receipt?: unknown;
  /** The handler has failed to write what belongs to it, and is not asked again: only the row says what became of it. */
  readonly isBare?: true;
  /** The limit of questions is reached: a human has to look. */
  readonly needsHuman?: true;
}
