import { HttpProblem } from '@malote/service-kit';

/** RFC 6750: no error code when no token came. */
export function sessionMissing(): HttpProblem {
  return new HttpProblem(401, 'session-missing', 'This route needs the access token of a session', {
    'www-authenticate': 'Bearer realm="malote"',
  });
}

/** The same whether a token is forged or its session over: only its owner needs to know, and logs in again. */
export function sessionInvalid(): HttpProblem {
  const text = 'The session has ended';
  return new HttpProblem(401, 'session-invalid', text, {
    'www-authenticate': `Bearer realm="malote", error="invalid_token", error_description="${text}"`,
  });
}
