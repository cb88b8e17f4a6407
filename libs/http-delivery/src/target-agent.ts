import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/** A client certificate (`pfx` with `passphrase`, or `cert` with `key`), whom to trust, and which protocol to speak. */
export type TargetTls = Pick<
  SecureContextOptions,
  'pfx' | 'passphrase' | 'cert' | 'key' | 'ca' | 'minVersion' | 'maxVersion' | 'ciphers'
>;

export interface TargetAgentOptions {
  readonly tls?: TargetTls;
  /** Sent with every request, in place of any the request itself carries. */
  readonly authorization?: string;
}

/** Who we are to one target. Connections made with a certificate are never shared with anybody else's. */
export class TargetAgent {
  /** Made once: reading a certificate takes longer than the rest of connecting, and a bad one fails here. */
  readonly secureContext: SecureContext | undefined;
  readonly authorization: string | undefined;
  private closed = false;

  /** Use `HttpDelivery.openAgent`. */
  constructor(
    readonly id: number,
    { tls, authorization }: TargetAgentOptions,
    private readonly release: (agent: TargetAgent) => Promise<void>,
  ) {
    this.secureContext = tls && createSecureContext(tls);
    this.authorization = authorization;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Requests under way end as they would have; new ones fail without being sent, and may be repeated with another agent. */
  async close(): Promise<void> {
    this.closed = true;
    await this.release(this);
  }
}
