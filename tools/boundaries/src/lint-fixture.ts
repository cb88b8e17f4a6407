import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ESLint } from 'eslint';

const rules = new Set<string | null>(['@nx/enforce-module-boundaries', 'no-restricted-syntax']);
const root = join(import.meta.dirname, '../../..');

/** `lint-fixture.ts <fixture>=<path> …` lints each fixture as if it lay at that path and prints what our rules say. */
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => rules.has(ruleId),
  // The path does not exist, so there is no type information for it; these rules need none.
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
});

async function lint(fixture: string, filePath: string): Promise<readonly string[]> {
  const source = await readFile(join(root, 'tools/boundaries/fixtures', `${fixture}.fixture.ts`), 'utf8');
  const [result] = await eslint.lintText(source, { filePath: join(root, filePath) });
  if (!result) throw new Error(`${filePath} is ignored by the lint configuration`);
  return result.messages.map(({ messageId, message }) => `${messageId ?? 'none'}: ${message}`);
}

const pairs = process.argv.slice(2).map((argument) => argument.split('='));
const said = await Promise.all(
  pairs.map(async ([fixture = '', path = '']) => [fixture, await lint(fixture, path)] as const),
);
console.log(JSON.stringify(Object.fromEntries(said)));
