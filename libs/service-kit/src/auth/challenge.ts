import { AppError } from '@malote/app-error';
import { HttpProblem } from '../problem/http-problem.ts';

/** A token that was presented and does not count. The message goes to the caller. */
export class TokenRefused extends Error {}

/** RFC 6750: no error code when no token came. */
export function tokenMissing(): HttpProblem {
  return new HttpProblem(401, 'token-missing', 'This route needs a bearer token', {
    'www-authenticate': 'Bearer realm="malote"',
  });
}

export function tokenRefused(reason: unknown): Error {
  if (reason instanceof AppError) return reason;
  const text = refusalText(reason);
  return new HttpProblem(401, 'token-invalid', text, {
    'www-authenticate': `Bearer realm="malote", error="invalid_token", error_description="${text}"`,
  });
}

export function scopeMissing(scopes: readonly string[]): HttpProblem {
  const needed = scopes.join(' ');
  return new HttpProblem(403, 'insufficient-scope', `The token must have the scope ${needed}`, {
    'www-authenticate': `Bearer realm="malote", error="insufficient_scope", scope="${needed}"`,
  });
}

/** Library messages name what was expected; callers get fixed sentences instead. */
function refusalText(reason: unknown): string {
  if (reason instanceof TokenRefused) return reason.message;
  if (!(reason instanceof Error)) return 'The token is not valid';
  if (reason.name === 'TokenExpiredError') return 'The token has expired';
  if (reason.name === 'NotBeforeError') return 'The token is not valid yet';
  if (reason.message.startsWith('jwt audience')) return 'The token is for another audience';
  if (reason.message.startsWith('jwt issuer')) return 'The token is from another issuer';
  if (reason.message === 'invalid signature') return 'The signature of the token is wrong';
  return 'The token is not valid';
}
