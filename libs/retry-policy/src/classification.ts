/** What came of one attempt to call a target. */
export type Fault =
  | { readonly kind: 'response'; readonly status: number; readonly retryAfter?: string | undefined }
  | {
      readonly kind: 'error';
      readonly error: unknown;
      /** Whether any byte of the request left; where the caller knows, that wins over what the error suggests. */
      readonly requestSent: boolean | 'unknown';
    };

/**
 * Whose fault a failure is. `target` is certain and never costs the message an attempt; `either` is the target's
 * only when several messages meet it; `message` burns the message's own attempts.
 */
export type Blame = 'target' | 'either' | 'message';

/** Whether the target may have acted on the request although it reported, or we saw, a failure. */
export type Processed = 'no' | 'maybe';

export type Classification =
  | { readonly kind: 'done'; readonly alreadyProcessed: boolean }
  | {
      readonly kind: 'retry';
      readonly blame: Exclude<Blame, 'message'>;
      readonly processed: Processed;
      readonly reason: string;
      readonly retryAfter?: string | undefined;
    }
  /** No answer came back: a target that can be asked must be asked before anything is sent again. */
  | { readonly kind: 'unknown'; readonly blame: Exclude<Blame, 'message'>; readonly reason: string }
  | {
      readonly kind: 'final';
      readonly blame: 'message';
      readonly processed: Processed;
      readonly reason: string;
    };
