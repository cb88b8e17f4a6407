import { type Lane } from '../lane/lane.ts';
import { type AskConfig, OUTBOX_ASK, OUTBOX_RETRY, type RetryConfig } from '@malote/retry-policy';

/** How one lane is worked off. */
export interface LaneSettings {
  readonly leaseMs: number;
  /** Rows of one target per claim. */
  readonly batch: number;
  /** Deliveries under way at once, per target. */
  readonly concurrency: number;
  /** The longest time until a row of another process is seen, where the database does not tell of commits. */
  readonly pollMs: number;
  /** One request over HTTP. */
  readonly requestTimeoutMs: number;
  /** No delivery takes longer: what has not ended by then counts as failed, and its place is given to the next. */
  readonly deliveryLimitMs: number;
  /** So many workers in a row that vanish with a row in their hands are its fault. */
  readonly maxAbandonments: number;
  readonly retry: RetryConfig;
  readonly ask: AskConfig;
}

export const LANE_DEFAULTS: LaneSettings = {
  leaseMs: 15_000,
  batch: 100,
  concurrency: 32,
  pollMs: 220,
  requestTimeoutMs: 15_000,
  deliveryLimitMs: 60_000,
  maxAbandonments: 5,
  retry: OUTBOX_RETRY,
  ask: OUTBOX_ASK,
};

/** Throws for settings that contradict each other: a service with such a lane does not start. */
export function checkSettings({ name, doubt }: Lane, settings: LaneSettings): void {
  const { requestTimeoutMs, deliveryLimitMs, ask } = settings;
  if (requestTimeoutMs >= deliveryLimitMs) {
    throw new Error(
      `Lane ${name}: OUTBOX_TIMEOUT_SECONDS (${requestTimeoutMs} ms) must be shorter than OUTBOX_DELIVERY_LIMIT (${deliveryLimitMs} ms)`,
    );
  }
  if (doubt && ask.quietMs < deliveryLimitMs) {
    throw new Error(
      `Lane ${name}: OUTBOX_ASK_QUIET (${ask.quietMs} ms) must not be shorter than OUTBOX_DELIVERY_LIMIT (${deliveryLimitMs} ms): ` +
        'a request that is still on its way would be sent again',
    );
  }
}
