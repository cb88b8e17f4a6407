import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const USAGE = `Applies the T-SQL scripts in tools/sqlserver, in order. Running them again changes nothing.

  npm run schema -- [--database-url URL] [--create-database] [--dry-run]

  --database-url URL  mssql://user:password@host:1433/DATABASE?encrypt=true&trustServerCertificate=false
                      otherwise read from the file DATABASE_URL_FILE names, or from DATABASE_URL
  --create-database   create the database first when the server has none of that name, with the server's defaults;
                      the login must be allowed to. Azure SQL: create it there, with the size it should have
  --dry-run           list the scripts and connect to nothing
  --help              this text

Exit code: 0 applied, 1 a script failed or the server does not answer, 2 wrong usage.`;

export interface Options {
  readonly help: boolean;
  readonly dryRun: boolean;
  readonly createDatabase: boolean;
  readonly databaseUrl: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws on an option nobody knows: a mistyped --dry-run must not change a database. */
export function readOptions(args: readonly string[], env: Environment): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'database-url': { type: 'string' },
      'create-database': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    dryRun: values['dry-run'],
    createDatabase: values['create-database'],
    databaseUrl: values['database-url'] ?? fromEnvironment(env),
  };
}

function fromEnvironment(env: Environment): string | undefined {
  return env.DATABASE_URL_FILE ? readFileSync(env.DATABASE_URL_FILE, 'utf8').trim() : env.DATABASE_URL;
}
