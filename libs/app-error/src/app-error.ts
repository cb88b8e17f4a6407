/** What went wrong, in the words of the business. HTTP statuses and retry decisions are derived from it, once each. */
export type AppErrorKind = 'invalid' | 'not-found' | 'conflict' | 'forbidden' | 'unavailable';

/** One field of a request that was refused; `pointer` is an RFC 6901 JSON pointer into the body. */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

interface AppErrorOptions {
  readonly fields?: readonly FieldProblem[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly fields: readonly FieldProblem[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  /** `code` is stable and machine-readable (`ticket-already-processed`); `message` is for people. */
  constructor(
    readonly kind: AppErrorKind,
    readonly code: string,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.fields = options.fields ?? [];
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
