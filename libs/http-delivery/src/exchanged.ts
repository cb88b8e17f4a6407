/** What the caller's lease allows. */
export interface Permit {
  /** Ends the request. One per message: a signal that many requests listen to at once slows all of them down. */
  readonly signal: AbortSignal;
  /** How long a request may take, from waiting for a connection to the end of the answer; by default what `HttpDelivery` was given. */
  readonly timeoutMs?: number;
  /** Asked once there is a connection, just before the first byte leaves; if not, nothing leaves. */
  mayLeave(): boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; the values of a repeated one are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** There was more than `body` holds, or the rest never came. */
  readonly isCut: boolean;
}

/** How one request ended, before anybody judges it. */
export type Exchanged =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | {
      readonly kind: 'fault';
      readonly error: unknown;
      /** False: the target has certainly not seen the request. */
      readonly requestSent: boolean;
    }
  /** Nothing is ever sent to such an address. */
  | { readonly kind: 'refused'; readonly reason: string };
