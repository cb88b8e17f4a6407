import { parseArgs } from 'node:util';
import { AppError } from '@malote/app-error';
import { ConfigError, createService, loadConfig, Log, processEnvironment } from '@malote/service-kit';
import type { INestApplicationContext } from '@nestjs/common';
import { DocumentTypesService } from '../document-types/document-types.service.ts';
import { service } from '../service.ts';
import { UsersService } from '../users/users.service.ts';

export const CREATE_ADMIN = 'create-admin';

const USAGE = `${CREATE_ADMIN} --email ADDRESS --name NAME [--if-none] [--json]

Makes the first admin and prints a password that is good for one login. For an address that is in use already, that
user becomes an active admin again with a new password. An office without document types gets the usual three.
DATABASE_URL and the other variables are read as the service reads them.

  --if-none   does nothing when there is an active admin
  --json      one line of JSON: outcome, email, temporaryPassword`;

interface Made {
  readonly outcome: 'created' | 'reset' | 'exists';
  readonly email: string;
  readonly temporaryPassword?: string;
}

/** Returns the exit code. */
export async function createAdmin(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      process.stdout.write(`${USAGE}\n`);
      return 0;
    }
    const made = await withService((app) => make(app, options));
    process.stdout.write(options.json ? `${JSON.stringify(made)}\n` : tell(made));
    return 0;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ConfigError || isUsageError(error))) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      'if-none': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

async function make(
  app: INestApplicationContext,
  { email, name, 'if-none': ifNone }: { email: string; name: string; 'if-none': boolean },
): Promise<Made> {
  const users = app.get(UsersService);
  await app.get(DocumentTypesService).createFirst();
  if (ifNone && (await users.list({ active: true })).some(({ role }) => role === 'admin')) {
    return { outcome: 'exists', email };
  }
  const { outcome, user, temporaryPassword } = await users.createFirstAdmin({ email, name });
  return { outcome, email: user.email, temporaryPassword };
}

/** The service without its listener: the command does what the service would. */
async function withService<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config = loadConfig(service.configClass, processEnvironment());
  const app = await createService(service, config, new Log(service.name, { logLevel: 'silent' }));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

function tell({ outcome, email, temporaryPassword }: Made): string {
  if (outcome === 'exists' || temporaryPassword === undefined) return 'There is an admin already.\n';
  const what = outcome === 'created' ? 'The first admin was made' : 'The admin has a new password';
  return `${what}: ${email}\nPassword for one login: ${temporaryPassword}\n`;
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
