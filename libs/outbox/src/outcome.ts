import { AppError } from '@malote/app-error';
import { type Blame } from '@malote/retry-policy';

/** What came of handing one message over. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** `target` never costs the message an attempt; `either` only while the target serves others. */
      readonly blame: Blame;
      readonly final: boolean;
      /** The target asked everybody to stay away for so long. */
      readonly retryAfterMs?: number;
    };

export const DELIVERED: Outcome = { kind: 'delivered' };

/** A handler that throws: our own trouble is tried again, a refusal is final. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof AppError) {
    const passing = error.kind === 'unavailable';
    return {
      kind: 'failed',
      reason: `${error.code}: ${error.message}`,
      blame: passing ? 'either' : 'message',
      final: !passing,
    };
  }
  const reason =
    error instanceof Error
      ? `${error.name}: ${error.message}`
      : 'The handler threw something that is no error';
  return { kind: 'failed', reason, blame: 'message', final: false };
}
