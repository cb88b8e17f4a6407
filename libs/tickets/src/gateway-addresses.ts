/** Where the gateway takes what; an application may have an address of its own. */
export class GatewayAddresses {
  readonly #byApplication = new Map<string, string>();

  constructor(
    private readonly gatewayUrl: string,
    overrides: Readonly<Record<string, string>> = {},
  ) {
    for (const [code, url] of Object.entries(overrides)) this.#byApplication.set(variableName(code), url);
  }

  functionalAck(applicationCode?: string): string {
    return `${this.baseOf(applicationCode)}/functional-ack/v3`;
  }

  ticketReturn(applicationCode?: string): string {
    return `${this.baseOf(applicationCode)}/ticket-return`;
  }

  tickets(applicationCode?: string): string {
    return `${this.baseOf(applicationCode)}/tickets`;
  }

  private baseOf(applicationCode = ''): string {
    const url = this.#byApplication.get(variableName(applicationCode)) ?? this.gatewayUrl;
    return url.replace(/\/+$/, '');
  }
}

/** As a code is written at the end of `GATEWAY_URL_…`. */
function variableName(applicationCode: string): string {
  return applicationCode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}
