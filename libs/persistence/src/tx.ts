import { AppError } from '@malote/app-error';
import { type EntityManager, MssqlParameter } from 'typeorm';
import { type Dialect } from './dialect.ts';

declare const transaction: unique symbol;

export type SqlValue = string | number | bigint | boolean | Date | null | Varchar | Datetime2;
export type SqlParameters = Readonly<Record<string, SqlValue>>;
export type SqlRow = Record<string, unknown>;

/**
 * An open transaction. Only a UnitOfWork makes one, so a repository that takes a `Tx` cannot be called outside
 * of a transaction. SQL is T-SQL in shape: parameters are `@name` on both engines.
 */
export interface Tx {
  readonly [transaction]: true;
  readonly dialect: Dialect;
  /** For plain entity reads and writes; hot statements go through `query`. */
  readonly entities: EntityManager;
  query<Row extends object = SqlRow>(sql: string, parameters?: SqlParameters): Promise<Row[]>;
  /** The first row alone: an embedded database hands over one row far cheaper than a list of one. */
  first<Row extends object = SqlRow>(sql: string, parameters?: SqlParameters): Promise<Row | undefined>;
  /** Runs a statement that returns no rows and tells how many it changed. */
  execute(sql: string, parameters?: SqlParameters): Promise<number>;
  /** Called once the work is durable; never after a rollback. */
  afterCommit(listener: () => void): void;
}

const LONGEST_NVARCHAR = 4_000;
/** As the driver writes it; beyond it there are no lengths. */
const MAX = 65_535;

/**
 * A string for a VARCHAR column. Drivers send strings as NVARCHAR, which makes SQL Server convert the column
 * instead of the parameter and scan the index it should seek. A null is declared by its column too: another declaration is another plan.
 */
export class Varchar {
  constructor(
    readonly value: string | null,
    readonly length: number,
    readonly type: 'varchar' | 'nvarchar' = 'varchar',
  ) {}
}

export function varchar(value: string | null, length: number): Varchar {
  return new Varchar(value, length);
}

/** A string for an NVARCHAR column, declared as long as the column is. */
export function nvarchar(value: string | null, length: number): Varchar {
  return new Varchar(value, length, 'nvarchar');
}

/** A time for a column that may be empty; one that is never null may be given as it is. */
export class Datetime2 {
  constructor(readonly value: Date | null) {}
}

export function datetime2(value: Date | null): Datetime2 {
  return new Datetime2(value);
}

export function toMssqlParameter(value: SqlValue): unknown {
  if (value instanceof Varchar) {
    const text = value.value === null ? null : wellFormed(value.value);
    return value.type === 'varchar'
      ? new MssqlParameter(text, 'varchar', value.length)
      : new MssqlParameter(text, 'nvarchar', value.length);
  }
  if (typeof value === 'string') return plainText(wellFormed(value), value.length);
  if (value === null) return plainText(null, 0);
  if (value instanceof Date) return new MssqlParameter(value, 'datetime2', 7);
  if (value instanceof Datetime2) return new MssqlParameter(value.value, 'datetime2', 7);
  return value;
}

/** Left to itself the driver declares a text as long as it is, and the server keeps a plan for each length. */
function plainText(text: string | null, length: number): MssqlParameter {
  return new MssqlParameter(text, 'nvarchar', length > LONGEST_NVARCHAR ? MAX : LONGEST_NVARCHAR);
}

export function toSqliteParameter(value: SqlValue): string | number | bigint | null {
  if (value instanceof Varchar || value instanceof Datetime2) return toSqliteParameter(value.value);
  if (typeof value === 'string') return wellFormed(value);
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  // The native driver aborts the process when it is handed a boolean.
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}

/** Half of a surrogate pair, once stored, makes the native SQLite driver end the process that reads it. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new AppError('invalid', 'malformed-text', 'Half of a surrogate pair is no text');
}

/** Times leave SQL Server as Date and SQLite as text, always UTC. */
export function asDate(value: unknown): Date | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value;
  if (typeof value === 'string') return new Date(value.includes('T') ? value : `${value.replace(' ', 'T')}Z`);
  throw new TypeError('not a time of the database');
}
