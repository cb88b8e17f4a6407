import { type Tx, type SqlParameters, type SqlRow } from './tx.ts';

/** SQL type of a field read out of a JSON parameter. */
export type JsonColumns = Readonly<
  Record<string, 'bigint' | 'int' | `varchar(${number})` | `nvarchar(${number})`>
>;

/** Part of a statement that speaks of the row at hand: it gets the name the row goes by, and writes columns as `${row}.Name`. */
export type RowSql = (row: string) => string;

export interface UpdateStatement {
  readonly table: string;
  /** Assignments: `Name = expression`; columns of `from` are written `r.Name`. */
  readonly set: RowSql;
  readonly where: RowSql;
  readonly returning: readonly string[];
  /** A row source joined as `r`. */
  readonly from?: string;
  /** A row source whose `Id` says which rows are meant, joined as `r`; the engine begins with these, whatever else is indexed. */
  readonly byId?: string;
  /** Passes over rows that somebody else has locked, instead of waiting for them. */
  readonly skipsLocked?: true;
}

export interface ClaimStatement {
  readonly table: string;
  readonly set: RowSql;
  /** Repeated where the engine needs it to keep two claimers apart. */
  readonly where: RowSql;
  readonly orderBy: RowSql;
  /** Name of the parameter that holds the number of rows; with groups, of each group. */
  readonly limit: string;
  /** Only rows of the groups a JSON parameter lists as `[{ "Name": … }]`, and so many of each. */
  readonly groups?: { readonly column: string; readonly parameter: string };
  readonly returning: readonly string[];
}

/** Rows in groups, or all of them as one group. */
export interface GroupMinimum {
  readonly table: string;
  readonly group: string | null;
  readonly value: string;
  readonly where: RowSql;
}

export interface RowChange {
  readonly table: string;
  readonly set: string;
  /** Columns of a unique key; the parameters of the same names say which row. */
  readonly key: readonly string[];
  readonly returning: readonly string[];
}

/** Only what truly differs between the engines; everything else is SQL both understand. */
export interface Dialect {
  readonly name: 'sqlite' | 'sqlserver';
  /** The database's own clock, UTC. Leases are never judged by a client's clock. */
  readonly now: string;
  /** That clock moved by a number of milliseconds, given as an SQL expression. */
  nowPlusMs(milliseconds: string): string;
  /** For more than 24 days: T-SQL counts in 32 bits. */
  nowPlusSeconds(seconds: string): string;
  table(name: string): string;
  /** A table expression over a JSON array of objects given as parameter. */
  jsonRows(parameter: string, columns: JsonColumns): string;
  update(statement: UpdateStatement): string;
  /** Changes one row, which locks it until the transaction ends, and tells its new values; undefined when there is no such row. */
  changeOne<Row extends object>(
    tx: Tx,
    change: RowChange,
    parameters: SqlParameters,
  ): Promise<Row | undefined>;
  /** An UPDATE of the first `limit` rows that no other claimer is holding. */
  claim(statement: ClaimStatement): string;
  /**
   * Smallest `Smallest` of each group of each source (`Source` counts them from 0), and the time, in one statement. Found by
   * seeks: it costs per group, not per row.
   */
  groupMinima(sources: readonly GroupMinimum[]): string;
  /** Whether a text column contains a parameter, sign by sign: nothing in it is a wildcard. */
  contains(column: string, parameter: string): string;
  /** First `limit` rows of a query body that starts after SELECT. */
  top(limit: number, select: string): string;
  /** Hint for a DELETE, as `update` has its own: no lock is taken on more than the rows it is about. */
  readonly rowWrite: string;
  /** Hint for reads that later writes of the same transaction depend on. */
  readonly lockedRead: string;
  /** Hint for reads that must see the newest committed rows, not the snapshot their statement began with. */
  readonly committedRead: string;
  /** Hint for monitoring reads that must never wait for a worker nor make one wait. */
  readonly monitoringRead: string;
  /** Serialises transactions that name the same resource until they end. Names are compared as keys are: without regard to case. */
  lock(tx: Tx, resource: string): Promise<void>;
  /** Inserts rows of one shape in few round trips; all of them or, when one is refused, none of its statement. */
  insertAll(tx: Tx, table: string, rows: readonly SqlParameters[]): Promise<void>;
  /** Inserts unless a row with the same `key` (one column or several) exists; returns its Id and whether this call made it. */
  insertOnce(
    tx: Tx,
    table: string,
    values: SqlParameters,
    key: string | readonly string[],
    extra?: SqlExpressions,
  ): Promise<Inserted>;
  /**
   * The same for many rows of one shape, in few round trips. `extra` gets how to write a column of the row at hand; it may look at
   * other rows of the table, but not at those that are inserted with it.
   */
  insertAllOnce(
    tx: Tx,
    table: string,
    rows: readonly SqlParameters[],
    key: string,
    extra: (column: (name: string) => string) => SqlExpressions,
  ): Promise<void>;
  isDuplicateKey(error: unknown): boolean;
  /** The same work may succeed when it is run again from its start. */
  isTransient(error: unknown): boolean;
  /** The database is out of reach. */
  isUnavailable(error: unknown): boolean;
  /** Somebody else keeps rows locked that this work needs; other work may fare better. */
  isLocked(error: unknown): boolean;
}

/** Columns whose value is computed by the database, as SQL. */
export type SqlExpressions = Readonly<Record<string, string>>;

/** Columns and values of an INSERT whose parameters are named after their columns. */
export function insertion(values: SqlParameters, extra: SqlExpressions = {}) {
  const columns = Object.keys(values);
  return {
    names: [...columns, ...Object.keys(extra)].join(', '),
    sources: [...columns.map((name) => `@${name}`), ...Object.values(extra)].join(', '),
  };
}

/**
 * The condition that finds the row an insert would collide with, and its parameters. SQL Server takes the filtered index of a key
 * only for a query that says what the filter says.
 */
export function sameKey(key: string | readonly string[], values: SqlParameters) {
  const columns = typeof key === 'string' ? [key] : key;
  return {
    columns,
    condition: columns.map((name) => `${name} IS NOT NULL AND ${name} = @${name}`).join(' AND '),
    parameters: Object.fromEntries(columns.map((name) => [name, values[name] ?? null])),
  };
}

export function keyCondition({ key }: RowChange): string {
  return key.map((name) => `${name} = @${name}`).join(' AND ');
}

export interface Inserted {
  readonly id: string;
  readonly inserted: boolean;
}

export function driverErrorOf(error: unknown): SqlRow {
  const inner = (error as { driverError?: unknown } | null)?.driverError ?? error;
  return typeof inner === 'object' && inner !== null ? (inner as SqlRow) : {};
}
