import { parseArgs } from 'node:util';

export const USAGE = `npm run --silent token -- --sub NAME --scope "SCOPE …" [options]

Prints a bearer token that services with the development key accept.

  --sub NAME           who calls (required)
  --scope "A B"        what the caller may do, separated by blanks; may be repeated
  --ttl DURATION       how long it counts: 15m, 8h, 30d (default 8h)
  --claim NAME=VALUE   another claim; a VALUE that is JSON is taken as JSON; may be repeated
  --help               this text

JWT_ISSUER, JWT_AUDIENCE and DEV_KEY_PATH are read as the services read them.`;

export interface TokenOptions {
  readonly help: boolean;
  readonly subject: string;
  readonly scope: string;
  readonly ttlSeconds: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const RESERVED = ['iss', 'aud', 'sub', 'exp', 'iat', 'nbf', 'jti', 'scope'];
/** RFC 6749, section 3.3. */
const SCOPE = /^[!#-[\]-~]+$/;

/** Throws on what it does not understand: a mistyped scope makes a token that opens nothing. */
export function readOptions(args: readonly string[]): TokenOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sub: { type: 'string', default: '' },
      scope: { type: 'string', multiple: true, default: [] },
      ttl: { type: 'string', default: '8h' },
      claim: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (!values.help && values.sub.trim() === '') throw new Error('--sub is missing: a token says who calls');
  return {
    help: values.help,
    subject: values.sub.trim(),
    scope: readScopes(values.scope),
    ttlSeconds: readTtl(values.ttl),
    claims: Object.fromEntries(values.claim.map(readClaim)),
  };
}

function readScopes(texts: readonly string[]): string {
  const scopes = new Set(texts.flatMap((text) => text.split(/\s+/)).filter((scope) => scope !== ''));
  for (const scope of scopes) if (!SCOPE.test(scope)) throw new Error(`${scope} is no scope`);
  return [...scopes].join(' ');
}

function readTtl(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new Error('--ttl must be a duration such as 90s, 15m, 8h or 30d');
  return Number(amount) * (UNIT_SECONDS[unit] ?? 1);
}

function readClaim(text: string): [string, unknown] {
  const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === '') throw new Error('--claim must be NAME=VALUE');
  if (RESERVED.includes(name)) throw new Error(`--claim cannot set ${name}`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
