export interface RetryConfig {
  /** Tries in all, the first one included. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
}

/** Calls to a fiscal authority: three tries while somebody waits (idempotency specification, section 5.1). */
export const FISCAL_RETRY: RetryConfig = { maxAttempts: 3, baseMs: 1_000, factor: 2, capMs: 30_000 };

/** Deliveries nobody waits for: up to seven minutes in all, which outlives a restart of the target. */
export const OUTBOX_RETRY: RetryConfig = { maxAttempts: 5, baseMs: 5_000, factor: 4, capMs: 3_600_000 };
