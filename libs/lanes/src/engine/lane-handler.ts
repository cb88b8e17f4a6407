import { AppError } from '@malote/app-error';
import { type Tx } from '@malote/persistence';
import { type Answer, classify, type Outcome } from '@malote/retry-policy';
import { type Lane, type LaneMessage } from '../lane/lane.ts';
import { type Settlement } from '../lane/settlement.ts';
import { type TargetLimits } from '../targets/target-store.ts';

/** What a worker's claim allows while it lasts. */
export interface Lease {
  /** Aborted when the claim is lost, or when the delivery takes longer than any may. */
  readonly signal: AbortSignal;
  /** How long one request may take; `HttpDelivery` keeps to it by itself. */
  readonly timeoutMs: number;
  /** To be asked just before the first byte leaves: after a pause of the process the message may be somebody else's. */
  mayLeave(): boolean;
}

export interface LaneHandler {
  readonly lane: Lane;
  /** Hands one message over, outside any transaction. */
  deliver(message: LaneMessage, lease: Lease): Promise<Outcome>;
  /** In an askable lane: finds out whether the target has the message, without sending it again. */
  ask?(message: LaneMessage, lease: Lease): Promise<Answer>;
  /** Runs in the transaction that settles, for rows whose lease held: stores receipts, mirrors a state, enqueues what follows. */
  onSettled?(tx: Tx, settlements: readonly Settlement[]): Promise<void>;
  /** What the settled rows let go on, once that is committed; lost when the process ends here, and found by the sweep then. */
  afterSettled?(settlements: readonly Settlement[]): Promise<void>;
  /** Targets that share a breaker, a pause and limits; by default the origin of the target's address. */
  targetGroup?(target: string): string;
  limits?(targetGroup: string): TargetLimits;
}

/** Throws when a lane and its handler do not fit: a service with such a pair does not start. */
export function checkHandler(handler: LaneHandler): void {
  const { name, doubt } = handler.lane;
  const canAsk = handler.ask !== undefined;
  if (doubt && !canAsk) throw new Error(`Lane ${name} is askable, and its handler cannot ask`);
  if (!doubt && canAsk) throw new Error(`The handler of lane ${name} can ask, and the lane is not askable`);
}

/** A handler that throws: our own trouble is tried again, a refusal is final. What had left by then, nobody knows. */
export function outcomeOfError(error: unknown): Outcome<never> {
  if (error instanceof AppError) {
    const isPassing = error.kind === 'unavailable';
    const reason = `${error.code}: ${error.message}`;
    return { kind: 'failed', blame: isPassing ? 'either' : 'message', reason, final: !isPassing };
  }
  const outcome = classify({ kind: 'error', error, requestSent: 'unknown' }, new Date());
  return outcome.kind === 'failed' ? { ...outcome, final: false, processed: 'maybe' } : outcome;
}
