import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  readonly pfx: Buffer;
  readonly passphrase: string;
}

/** A certificate of 127.0.0.1 that vouches for itself, and its key; made anew, so that none of them ever expires. */
export function selfSigned(name: string): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'malote-certificate-'));
  const [cert, key, pfx] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), join(folder, 'both.pfx')];
  const passphrase = 'only for a test';
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  try {
    openssl(
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    );
    openssl('pkcs12', '-export', '-inkey', key, '-in', cert, '-out', pfx, '-passout', `pass:${passphrase}`);
    return {
      cert: readFileSync(cert, 'utf8'),
      key: readFileSync(key, 'utf8'),
      pfx: readFileSync(pfx),
      passphrase,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
