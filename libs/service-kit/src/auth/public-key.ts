import { createPublicKey, type KeyObject } from 'node:crypto';

export type JwtAlgorithm = 'RS256' | 'ES256';

export interface VerificationKey {
  readonly key: KeyObject;
  readonly algorithm: JwtAlgorithm;
}

const MIN_RSA_BITS = 2048;

/** Undefined unless the text is a public key of a kind we verify with. Private keys are refused: a service must not hold one. */
export function parsePublicKey(text: string): VerificationKey | undefined {
  // Many deployment tools can only hold one line: "\n" inside it stands for a line break.
  const pem = text.replaceAll('\\n', '\n');
  if (pem.includes('PRIVATE KEY')) return undefined;
  try {
    return verificationKey(createPublicKey(pem));
  } catch {
    return undefined;
  }
}

/** The algorithm follows from the key, never from the token. */
export function verificationKey(key: KeyObject): VerificationKey | undefined {
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits >= MIN_RSA_BITS ? { key, algorithm: 'RS256' } : undefined;
  }
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? { key, algorithm: 'ES256' } : undefined;
}
