import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';

/**
 * The private key that signs development tokens, made when it is missing. Services start side by side: `link` fails when the
 * name exists, so the first one to finish wins and the others read its key.
 */
export function devPrivateKey(path: string): KeyObject {
  return readKey(path) ?? createKey(path);
}

export function devPublicKey(path: string): KeyObject {
  return createPublicKey(devPrivateKey(path));
}

function createKey(path: string): KeyObject {
  mkdirSync(dirname(path), { recursive: true });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return privateKey;
  } catch (error) {
    const theirs = errorCode(error) === 'EEXIST' ? readKey(path) : undefined;
    if (theirs) return theirs;
    throw error;
  } finally {
    rmSync(draft);
  }
}

function readKey(path: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new Error(`The development key ${path} cannot be used; delete it to have a new one made`, {
      cause: error,
    });
  }
}
