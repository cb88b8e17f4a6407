import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, jest } from '@jest/globals';

jest.setTimeout(60_000);

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** Each fixture, the place it is linted at, and what the rule has to say there. */
const refused = [
  ['pure-lib-imports-nest', 'libs/retry-policy', 'bannedExternalImportsViolation', '"type:pure"'],
  ['pure-lib-imports-platform-lib', 'libs/idempotency', 'onlyTagsConstraintViolation', '"type:pure"'],
  [
    'lib-without-server-imports-nest',
    'libs/http-delivery',
    'bannedExternalImportsViolation',
    '"without:server"',
  ],
  ['lib-imports-app', 'libs/child-process', 'noImportsOfApps', ''],
  ['app-imports-app', 'apps/ticket-api', 'noImportsOfApps', ''],
  [
    'other-scope-imports-tickets',
    'apps/counterparty-api',
    'onlyTagsConstraintViolation',
    '"scope:counterparty-api"',
  ],
  [
    'other-scope-imports-counterparties',
    'apps/ticket-api',
    'onlyTagsConstraintViolation',
    '"scope:ticket-api"',
  ],
  [
    'other-scope-imports-numbering',
    'apps/outbox-dispatcher',
    'onlyTagsConstraintViolation',
    '"scope:outbox-dispatcher"',
  ],
  ['entities-update', 'apps/ticket-api', 'restrictedSyntax', 'varchar()'],
  ['entities-delete', 'libs/lanes', 'restrictedSyntax', 'varchar()'],
  ['query-builder', 'apps/ticket-api', 'restrictedSyntax', 'jsonRows()'],
  ['relative-import', 'libs/lanes', 'noRelativeOrAbsoluteImportsAcrossLibraries', ''],
] as const;
const allowed = ['allowed-imports', 'apps/ticket-api'] as const;

let said: Record<string, readonly string[]>;

beforeAll(async () => {
  // Without a project graph the rule skips itself in silence, and a fresh clone has none.
  await run(join(root, 'node_modules/.bin/nx'), ['show', 'projects'], {
    cwd: root,
    env: { ...process.env, NX_DAEMON: 'false' },
  });
  const places = [...refused, allowed].map(([fixture, project]) => `${fixture}=${project}/src/fixture.ts`);
  const script = ['tools/run.js', 'tools/boundaries/src/lint-fixture.ts', ...places];
  const { stdout } = await run(process.execPath, script, { cwd: root });
  said = JSON.parse(stdout) as typeof said;
});

it.each(refused)('refuses %s in %s (%s)', (fixture, _, messageId, tag) => {
  expect(said[fixture]).toHaveLength(1);
  expect(said[fixture]?.[0]).toContain(`${messageId}: `);
  expect(said[fixture]?.[0]).toContain(tag);
});

it('lets an app import Nest, a pure lib and the lib of its own scope', () => {
  expect(said[allowed[0]]).toEqual([]);
});
