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

  /**
   * The application, as `variableName` spells it, whose own address this is or lies beneath; of several the one with the longest.
   * Undefined: it is nobody's own.
   */
  ownerOf(address: string): string | undefined {
    const wanted = plainAddress(address);
    if (wanted === undefined) return undefined;
    let longest = liesBeneath(wanted, plainAddress(this.gatewayUrl));
    let owner: string | undefined;
    for (const [code, url] of this.#byApplication) {
      const length = liesBeneath(wanted, plainAddress(url));
      if (length <= longest) continue;
      longest = length;
      owner = code;
    }
    return owner;
  }

  private baseOf(applicationCode = ''): string {
    const url = this.#byApplication.get(variableName(applicationCode)) ?? this.gatewayUrl;
    return url.replace(/\/+$/, '');
  }
}

/** As a code is written at the end of `GATEWAY_URL_…`. */
export function variableName(applicationCode: string): string {
  return applicationCode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}

/** The sandbox. */
export const DEVELOPMENT_GATEWAY_URL = 'http://127.0.0.1:3900/gateway';

/** What is wrong with addresses from the environment, for a process to refuse to start with. What could not be read is undefined. */
export function gatewayProblems(
  gatewayUrl: string | undefined,
  overrides: Readonly<Record<string, string>> | undefined,
): string[] {
  const given = Object.entries(overrides ?? {}).map(([code, url]) => [`GATEWAY_URL_${code}`, url] as const);
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

/** An address as it is compared: hosts without regard to case, default ports and last slashes left out. */
export function plainAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** How long the base is, when the address is it or lies beneath it; 0 when not. */
function liesBeneath(address: string, base: string | undefined): number {
  if (base === undefined) return 0;
  return address === base || address.startsWith(`${base}/`) ? base.length : 0;
}
