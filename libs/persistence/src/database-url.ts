import { isAbsolute, resolve } from 'node:path';
import { AppError } from '@malote/app-error';

export interface SqliteUrl {
  readonly engine: 'sqlite';
  readonly file: string;
}

export interface SqlServerUrl {
  readonly engine: 'sqlserver';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly encrypt: boolean;
  readonly trustServerCertificate: boolean;
  readonly poolSize: number;
}

export type DatabaseUrl = SqliteUrl | SqlServerUrl;

/** `sqlite:path/to/file.db` or `mssql://user:password@host:1433/DATABASE?encrypt=true&trustServerCertificate=false`. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  if (text.startsWith('sqlite:')) return parseSqlite(text.slice('sqlite:'.length));
  if (/^(mssql|sqlserver):/.test(text)) return parseSqlServer(text);
  throw invalid('must start with sqlite: or mssql://');
}

function parseSqlite(path: string): SqliteUrl {
  const file = path.replace(/^\/\/(?=[^/])/, '').replace(/^\/{3}/, '/');
  if (file === '' || file === ':memory:') throw invalid('sqlite: needs a file, several processes share it');
  return { engine: 'sqlite', file: isAbsolute(file) ? file : resolve(file) };
}

function parseSqlServer(text: string): SqlServerUrl {
  if (!URL.canParse(text)) throw invalid('is not a URL; percent-encode special characters of the password');
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (!url.hostname || !database)
    throw invalid('needs a host and a database: mssql://user:password@host:1433/NAME');
  return {
    engine: 'sqlserver',
    host: url.hostname,
    port: url.port ? Number(url.port) : 1433,
    database,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    encrypt: flag(url, 'encrypt', true),
    trustServerCertificate: flag(url, 'trustServerCertificate', false),
    poolSize: Number(url.searchParams.get('poolSize') ?? 20),
  };
}

function flag(url: URL, name: string, byDefault: boolean): boolean {
  const value = url.searchParams.get(name);
  if (value === null) return byDefault;
  if (value !== 'true' && value !== 'false') throw invalid(`${name} must be true or false`);
  return value === 'true';
}

function invalid(problem: string): AppError {
  return new AppError('invalid', 'invalid-database-url', `DATABASE_URL ${problem}`);
}
