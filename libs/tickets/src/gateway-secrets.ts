import { isWebhookSecret } from '@malote/http-delivery';
import { type GatewayAddresses, plainAddress, variableName } from './gateway-addresses.ts';

/** Which secrets sign what goes to an address. Receivers that shared one could forge deliveries to each other. */
export class GatewaySecrets {
  readonly #byApplication = new Map<string, readonly string[]>();

  constructor(
    private readonly addresses: GatewayAddresses,
    /** Of all addresses that have none of their own. */
    private readonly shared: readonly string[],
    /** By application, several separated by commas. */
    own: Readonly<Record<string, string>> = {},
  ) {
    for (const [code, list] of Object.entries(own))
      this.#byApplication.set(variableName(code), secretsIn(list));
  }

  /** More than one while they rotate. */
  of(address: string): readonly string[] {
    const owner = this.addresses.ownerOf(address);
    return (owner === undefined ? undefined : this.#byApplication.get(owner)) ?? this.shared;
  }
}

/** What is wrong with secrets from the environment, for a process to refuse to start with. What could not be read is undefined. */
export function gatewaySecretProblems(
  own: Readonly<Record<string, string>> | undefined,
  gatewayUrl: string | undefined,
  overrides: Readonly<Record<string, string>> | undefined,
): string[] {
  if (!own || !overrides) return [];
  const addresses = [
    { name: 'GATEWAY_URL', code: undefined, address: plainAddress(gatewayUrl ?? '') },
    ...Object.entries(overrides).map(([code, url]) => ({
      name: `GATEWAY_URL_${code}`,
      code: variableName(code),
      address: plainAddress(url),
    })),
  ];
  return Object.entries(own).flatMap(([code, list]) => {
    const name = `GATEWAY_SIGNING_SECRETS_${code}`;
    const problems: string[] = [];
    const secrets = secretsIn(list);
    if (secrets.length === 0 || !secrets.every(isWebhookSecret)) {
      problems.push(
        `${name} must be secrets separated by commas, each whsec_ followed by 24 to 64 bytes in base64`,
      );
    }
    const mine = addresses.find((one) => one.code === variableName(code));
    const same = addresses.find(
      (one) => one !== mine && mine?.address !== undefined && one.address === mine.address,
    );
    if (!mine)
      problems.push(`${name} needs an address that is this application's alone: set GATEWAY_URL_${code}`);
    else if (same) {
      problems.push(
        `${name} needs an address that is this application's alone, and ${mine.name} says the same as ${same.name}`,
      );
    }
    return problems;
  });
}

function secretsIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}
