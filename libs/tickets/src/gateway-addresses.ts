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

/** The sandbox. */
export const DEVELOPMENT_GATEWAY_URL = 'http://127.0.0.1:3900/gateway';

/** What is wrong with addresses from the environment, for a process to refuse to start with. */
export function gatewayProblems(
  gatewayUrl: string | undefined,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const given = Object.entries(overrides).map(([code, url]) => [`GATEWAY_URL_${code}`, url] as const);
  return [...(gatewayUrl === undefined ? [] : [['GATEWAY_URL', gatewayUrl] as const]), ...given].flatMap(
    ([name, url]) =>
      isAddress(url) ? [] : [`${name} must be an http or https address without query or fragment`],
  );
}

function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, search, hash } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === '';
}
