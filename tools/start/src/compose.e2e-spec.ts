import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { suiteServices } from './services.ts';
import { composeEnvironment, composeSecrets } from './testing/compose-file.ts';
import { RunningCommand, workspaceRoot } from './testing/running-command.ts';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'malote-compose-'));
const random = () => randomBytes(32).toString('base64');
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const contents: Readonly<Record<string, string>> = {
  database_url: `sqlite:${join(folder, 'malote.db')}`,
  jwt_public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  outbox_signing_secrets: `whsec_${random()}`,
};

beforeAll(() => {
  for (const name of composeSecrets()) writeFileSync(join(folder, name), contents[name] ?? random());
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(suiteServices())('$name starts in production with what compose.yaml gives it', async (service) => {
  // As in the image: these, and nothing of the environment the specs run in.
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    ...composeEnvironment(service.name, folder),
  };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const running = new RunningCommand([
    'env',
    '-i',
    ...variables,
    process.execPath,
    'tools/run.js',
    service.entry,
  ]);
  const exited = running.exitCode.then((code) => {
    throw new Error(`exit code ${code ?? 'unknown'}:\n${running.output}`);
  });

  try {
    await Promise.race([running.hasWritten('"msg":"listening"', 40_000), exited]);
  } finally {
    running.signal('SIGKILL');
  }
});

it('has a line in docker/README.md for every secret', () => {
  const readme = readFileSync(join(workspaceRoot, 'docker/README.md'), 'utf8');
  expect(composeSecrets()).toContain('database_url');
  expect(composeSecrets().filter((name) => !readme.includes(name))).toEqual([]);
});
