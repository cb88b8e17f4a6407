export type Claims = Readonly<Record<string, unknown>>;

/** Who calls, as the verified token says. */
export interface Caller {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  readonly claims: Claims;
}

/** Undefined when the token lacks what we insist on: a subject and an end. */
export function callerFromClaims(claims: Claims): Caller | undefined {
  const { sub, exp, scope } = claims;
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return undefined;
  return Object.freeze({ subject: sub, scopes: scopesOf(scope), claims: Object.freeze({ ...claims }) });
}

/** RFC 8693 has one space-separated string; some issuers send a list. */
function scopesOf(scope: unknown): ReadonlySet<string> {
  const list: unknown[] = Array.isArray(scope) ? scope : typeof scope === 'string' ? scope.split(' ') : [];
  return new Set(list.filter((item): item is string => typeof item === 'string' && item !== ''));
}
