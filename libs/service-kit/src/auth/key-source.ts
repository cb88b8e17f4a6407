import { KeyObject, type webcrypto } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWSHeaderParameters } from 'jose';
import type { ServiceConfig } from '../config/service.config.ts';
import { devPublicKey } from './dev-key.ts';
import { parsePublicKey, type VerificationKey, verificationKey } from './public-key.ts';

/** Where the key that a token must be signed with comes from; undefined when there is no such key. */
export abstract class KeySource {
  abstract find(header: JWSHeaderParameters): Promise<VerificationKey | undefined>;
}

export function keySource(config: ServiceConfig): KeySource {
  if (config.jwtJwksUrl) return new JwksKeySource(new URL(config.jwtJwksUrl));
  const key = config.jwtPublicKey
    ? parsePublicKey(config.jwtPublicKey)
    : verificationKey(devPublicKey(config.devKeyPath));
  if (!key) throw new Error('The public key for tokens is of a kind that cannot be used');
  return new FixedKeySource(key);
}

class FixedKeySource extends KeySource {
  constructor(private readonly key: VerificationKey) {
    super();
  }

  find(): Promise<VerificationKey> {
    return Promise.resolve(this.key);
  }
}

/** Follows a key set that rotates. It is fetched when old or when a token names an unknown key, but not more often than the cool-down. */
export class JwksKeySource extends KeySource {
  private readonly remote: ReturnType<typeof createRemoteJWKSet>;

  constructor(url: URL, cooldownDuration = 30_000) {
    super();
    this.remote = createRemoteJWKSet(url, { cooldownDuration, timeoutDuration: 3000, cacheMaxAge: 600_000 });
  }

  async find(header: JWSHeaderParameters): Promise<VerificationKey | undefined> {
    try {
      return await this.select(this.remote, header);
    } catch (error) {
      if (isNoSuchKey(error)) return undefined;
      return this.lastKnown(header, error);
    }
  }

  /** While the issuer cannot be reached, keys it published before still count; about any other key we cannot tell. */
  private async lastKnown(header: JWSHeaderParameters, cause: unknown): Promise<VerificationKey | undefined> {
    const known = this.remote.jwks();
    try {
      if (known) return await this.select(createLocalJWKSet(known), header);
    } catch (error) {
      if (!isNoSuchKey(error)) throw error;
    }
    throw new AppError(
      'unavailable',
      'token-keys-unavailable',
      'The keys that verify tokens cannot be fetched',
      {
        retryAfterSeconds: 5,
        cause,
      },
    );
  }

  private async select(
    keys: (header: JWSHeaderParameters) => Promise<webcrypto.CryptoKey>,
    header: JWSHeaderParameters,
  ): Promise<VerificationKey | undefined> {
    return verificationKey(KeyObject.from(await keys(header)));
  }
}

function isNoSuchKey(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
