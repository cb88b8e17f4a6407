import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { Child } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-child-'));
const source = join(import.meta.dirname, 'index.ts');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function childThat(body: string): string {
  const file = join(folder, 'child.ts');
  writeFileSync(file, `import { answerParent, settingsText } from ${JSON.stringify(source)};\n${body}`);
  return file;
}

it('greets, answers one question after the other, and ends when told to', async () => {
  const file = childThat(
    `answerParent(JSON.parse(settingsText()).name, (question) => ({ echo: question }));`,
  );
  const child = new Child(file, { name: 'Ana' });
  expect(await child.ready).toBe('Ana');
  expect(await Promise.all([child.ask({ n: 1 }), child.ask({ n: 2 })])).toEqual([
    { echo: { n: 1 } },
    { echo: { n: 2 } },
  ]);
  await child.end();
  expect(child.isAlive).toBe(false);
});

it('does not keep anybody waiting for a child that has died', async () => {
  const child = new Child(childThat('process.exit(3);'));
  expect(await child.ready).toBeUndefined();
  await child.ended;
  expect(child.exitCode).toBe(3);
});
