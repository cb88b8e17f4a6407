import { Injectable, type Type } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { decodeProtectedHeader, type JWSHeaderParameters } from 'jose';
import { Strategy } from 'passport-jwt';
import { ServiceConfig } from '../config/service.config.ts';
import { bearerToken } from './bearer-token.ts';
import { type Caller, callerFromClaims, type Claims } from './caller.ts';
import { TokenRefused } from './challenge.ts';
import { KeySource } from './key-source.ts';

const CLOCK_SKEW_SECONDS = 5;
const TOKEN_TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

/** Passport knows strategies by name in one global table; every app has its own name so that two can live in one process. */
export function jwtStrategy(name: string): Type {
  @Injectable()
  class JwtStrategy extends PassportStrategy(Strategy, name) {
    constructor(config: ServiceConfig, keys: KeySource) {
      super({
        jwtFromRequest: (request: FastifyRequest) => bearerToken(request) ?? null,
        algorithms: ['RS256', 'ES256'],
        issuer: config.jwtIssuer,
        audience: config.jwtAudience,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way to the clock tolerance
        jsonWebTokenOptions: { clockTolerance: CLOCK_SKEW_SECONDS },
        secretOrKeyProvider: (_request, token: string, done) => {
          findKey(keys, token).then(
            (key) => {
              done(null, key);
            },
            (error: unknown) => {
              done(error);
            },
          );
        },
      });
    }

    validate(claims: Claims): Caller {
      const caller = callerFromClaims(claims);
      if (!caller) throw new TokenRefused('The token has no subject or no expiry');
      return caller;
    }
  }
  return JwtStrategy;
}

async function findKey(keys: KeySource, token: string): Promise<never> {
  const header = readHeader(token);
  const found = await keys.find(header);
  if (!found) throw new TokenRefused('The token is signed with an unknown key');
  if (found.algorithm !== header.alg) throw new TokenRefused('The token is signed with another algorithm');
  // The library's types know secrets and PEM texts only; a key object spares parsing one on every request.
  return found.key as never;
}

/** `jku`, `x5u` and `jwk` in the header are never followed; critical extensions are unknown to us and refused (RFC 7515, 4.1.11). */
function readHeader(token: string): JWSHeaderParameters {
  let header: JWSHeaderParameters;
  try {
    header = decodeProtectedHeader(token);
  } catch (cause) {
    throw new TokenRefused('The token is malformed', { cause });
  }
  if (header.crit !== undefined) throw new TokenRefused('The token has critical extensions');
  if (header.typ !== undefined && !TOKEN_TYPES.has(header.typ.toLowerCase())) {
    throw new TokenRefused('The token is not an access token');
  }
  return header;
}
