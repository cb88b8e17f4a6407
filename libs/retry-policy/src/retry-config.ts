export interface RetryConfig {
  /** Tries in all, the first one included. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
}

/** How a target is asked about a message that it may have. */
export interface AskConfig {
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
  /** After so many questions without certainty a human is told. */
  readonly limit: number;
  /** The pause between questions from then on. */
  readonly slowMs: number;
  /**
   * "I do not have it" counts once it has been said for so long, and nothing else: until then a request that has left may still be
   * on its way, or be waiting inside the target.
   */
  readonly quietMs: number;
}

/** Calls to a fiscal authority: three tries while somebody waits (idempotency specification, section 5.1). */
export const FISCAL_RETRY: RetryConfig = { maxAttempts: 3, baseMs: 1_000, factor: 2, capMs: 30_000 };

/** Deliveries nobody waits for: up to seven minutes in all, which outlives a restart of the target. */
export const OUTBOX_RETRY: RetryConfig = { maxAttempts: 5, baseMs: 5_000, factor: 4, capMs: 3_600_000 };

/** Quick at first, since the answer is usually there already; after a quarter of an hour somebody should look. */
export const OUTBOX_ASK: AskConfig = {
  baseMs: 2_000,
  factor: 2,
  capMs: 300_000,
  limit: 10,
  slowMs: 900_000,
  quietMs: 60_000,
};
