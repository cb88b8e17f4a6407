/** How one attempt to call a target ended, as whoever made the call saw it. */
export type Fault =
  | { readonly kind: 'response'; readonly status: number; readonly retryAfter?: string | undefined }
  | {
      readonly kind: 'error';
      readonly error: unknown;
      /** Whether any byte of the request left; where the caller knows, that wins over what the error suggests. */
      readonly requestSent: boolean | 'unknown';
    };
