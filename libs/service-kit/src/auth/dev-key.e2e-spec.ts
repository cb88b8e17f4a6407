import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { devPrivateKey, devPublicKey } from './dev-key.ts';

const run = promisify(execFile);
const workspace = resolve(import.meta.dirname, '../../../..');

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'malote-dev-key-'));
}

it('gives processes that start together one key', async () => {
  const path = join(folder(), 'keys', 'dev-key.pem');
  const script = `import { register } from 'node:module';
    register(${JSON.stringify(`file://${workspace}/tools/ts-loader.js`)});
    const { devPublicKey } = await import(${JSON.stringify(join(import.meta.dirname, 'dev-key.ts'))});
    console.log(devPublicKey(${JSON.stringify(path)}).export({ type: 'spki', format: 'pem' }));`;
  const args = ['--input-type=module', '--eval', script];

  const outputs = await Promise.all(
    Array.from({ length: 5 }, () => run(process.execPath, args, { cwd: workspace })),
  );

  expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  expect(readdirSync(join(path, '..'))).toEqual(['dev-key.pem']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('keeps the key it has made', () => {
  const path = join(folder(), 'dev-key.pem');
  const made = devPrivateKey(path);

  expect(devPrivateKey(path).equals(made)).toBe(true);
  expect(devPublicKey(path).type).toBe('public');
});

it('says what to do about a key file that is broken', () => {
  const path = join(folder(), 'dev-key.pem');
  writeFileSync(path, 'not a key');

  expect(() => devPrivateKey(path)).toThrow('delete it to have a new one made');
});
