import { type Dialect, insertion, keyCondition, sameKey, type SqlExpressions } from '../dialect.ts';
import { type SqlParameters, varchar } from '../tx.ts';
import {
  isDuplicateKey,
  isTransient,
  isUnavailable,
  LOCK_DEADLOCK,
  LOCK_TIMEOUT,
  runAgainWhenBeaten,
} from './sqlserver-errors.ts';
import { LOCK_WAIT_MS } from './sqlserver-session.ts';

/** The server takes 2,100 for a statement. */
const MAX_PARAMETERS = 2_000;

/** Claimers skip each other's rows instead of waiting; page locks would make them wait after all. */
const SKIP_LOCKED = 'WITH (ROWLOCK, UPDLOCK, READPAST)';
const ROWS_ALONE = 'WITH (ROWLOCK)';

export const sqlServerDialect: Dialect = {
  name: 'sqlserver',
  now: 'SYSUTCDATETIME()',
  rowWrite: ROWS_ALONE,
  lockedRead: 'WITH (ROWLOCK, UPDLOCK)',
  committedRead: 'WITH (READCOMMITTEDLOCK)',
  monitoringRead: 'WITH (READCOMMITTEDLOCK, READPAST, ROWLOCK)',

  nowPlusMs: (milliseconds) => `DATEADD(MILLISECOND, ${milliseconds}, SYSUTCDATETIME())`,

  nowPlusSeconds: (seconds) => `DATEADD(SECOND, ${seconds}, SYSUTCDATETIME())`,

  table: (name) => `dbo.${name}`,

  jsonRows(parameter, columns) {
    const fields = Object.entries(columns).map(([name, type]) => `${name} ${type} '$.${name}'`);
    return `OPENJSON(@${parameter}) WITH (${fields.join(', ')})`;
  },

  // The target has no alias: under one, some servers join the table with itself.
  update({ table, set, from, byId, where, returning, skipsLocked }) {
    const rows = byId ?? from;
    const hints = skipsLocked ? SKIP_LOCKED : ROWS_ALONE;
    const source = rows ? ` FROM dbo.${table}, ${rows} AS r` : '';
    const join = byId ? `${table}.Id = r.Id AND ` : '';
    return (
      `UPDATE dbo.${table} ${hints} SET ${set(table)} OUTPUT ${inserted(returning)}${source} ` +
      `WHERE ${join}${where(table)}`
    );
  },

  // Read back in a statement of its own: OUTPUT tells some servers' values from before the wait for the row.
  changeOne(tx, change, parameters) {
    const { table, set, returning } = change;
    const condition = keyCondition(change);
    const read = returning.map((name) => `${name} AS [${name}]`).join(', ');
    return tx.first(
      `UPDATE dbo.${table} ${ROWS_ALONE} SET ${set} WHERE ${condition}; SELECT ${read} FROM dbo.${table} WHERE ${condition};`,
      parameters,
    );
  },

  // The condition stands twice: a claimer that waited for a row must look at it again.
  claim({ table, set, where, orderBy, limit, groups, returning }) {
    const first = (more: string) =>
      `SELECT TOP (@${limit}) t.Id FROM dbo.${table} AS t ${SKIP_LOCKED} WHERE ${where('t')}${more} ORDER BY ${orderBy('t')}`;
    const chosen = groups
      ? `SELECT f.Id FROM ${this.jsonRows(groups.parameter, { Name: 'varchar(500)' })} AS g ` +
        `CROSS APPLY (${first(` AND t.${groups.column} = g.Name`)}) AS f`
      : first('');
    return (
      `UPDATE dbo.${table} ${SKIP_LOCKED} SET ${set(table)} OUTPUT ${inserted(returning)} ` +
      `WHERE ${where(table)} AND ${table}.Id IN (${chosen})`
    );
  },

  // T-SQL allows neither TOP nor MIN in a recursive member, so the skip scan is a loop.
  groupMinima(sources) {
    const loops = sources.map(({ table, group, value, where }, n) => {
      const of = `FROM dbo.${table} AS t ${this.monitoringRead} WHERE ${where('t')}`;
      const store = `INSERT INTO @found (Source, GroupKey, Smallest) SELECT ${n},`;
      if (!group) return `${store} '', MIN(t.${value}) ${of};`;
      return (
        `SET @grp = (SELECT MIN(t.${group}) ${of}); WHILE @grp IS NOT NULL BEGIN ` +
        `${store} @grp, MIN(t.${value}) ${of} AND t.${group} = @grp; ` +
        `SET @grp = (SELECT MIN(t.${group}) ${of} AND t.${group} > @grp); END;`
      );
    });
    return (
      `DECLARE @found TABLE (Source INT, GroupKey VARCHAR(500), Smallest DATETIME2); DECLARE @grp VARCHAR(500); ` +
      `${loops.join(' ')} SELECT Source AS [Source], GroupKey AS [GroupKey], Smallest AS [Smallest], ` +
      `SYSUTCDATETIME() AS [Now] FROM @found WHERE Smallest IS NOT NULL;`
    );
  },

  // Sign by sign: the usual collations take ß for ss and some signs for nothing.
  contains: (column, parameter) => `CHARINDEX(@${parameter}, ${column} COLLATE Latin1_General_BIN2) > 0`,

  top: (limit, select) => `SELECT TOP (${limit}) ${select}`,

  // Other than columns, the server compares names of application locks sign by sign.
  async lock(tx, resource) {
    await tx.query(
      `DECLARE @result INT; EXEC @result = sp_getapplock @Resource = @resource, @LockMode = 'Exclusive', ` +
        `@LockOwner = 'Transaction', @LockTimeout = ${LOCK_WAIT_MS}; ` +
        `IF @result = -3 THROW ${LOCK_DEADLOCK}, 'Deadlock victim while waiting for an application lock', 1; ` +
        `IF @result < 0 THROW ${LOCK_TIMEOUT}, 'The application lock was not granted in time', 1;`,
      { resource: varchar(resource.toLowerCase(), 255) },
    );
  },

  async insertAll(tx, table, rows) {
    const columns = Object.keys(rows[0] ?? {});
    for (const some of inStatements(rows)) {
      const parameters: Record<string, SqlParameters[string]> = {};
      const values = some.map((row, n) => {
        for (const name of columns) parameters[`${name}_${n}`] = row[name] ?? null;
        return `(${columns.map((name) => `@${name}_${n}`).join(', ')})`;
      });
      await tx.execute(
        `INSERT INTO dbo.${table} (${columns.join(', ')}) VALUES ${values.join(', ')}`,
        parameters,
      );
    }
  },

  async insertOnce(tx, table, values, key, extra) {
    const { names, sources } = insertion(values, extra);
    const { condition, parameters } = sameKey(key, values);
    const existing = `SELECT Id AS [Id] FROM dbo.${table} WHERE ${condition}`;
    const [made] = await tx
      .query<{ Id: string }>(
        `INSERT INTO dbo.${table} (${names}) OUTPUT inserted.Id AS [Id] ` +
          `SELECT ${sources} WHERE NOT EXISTS (${existing})`,
        values,
      )
      .catch(runAgainWhenBeaten);
    if (made) return { id: made.Id, inserted: true };
    const [row] = await tx.query<{ Id: string }>(existing, parameters);
    if (!row) throw new Error(`A row of ${table} stood in the way of an insert and is gone`);
    return { id: row.Id, inserted: false };
  },

  async insertAllOnce(tx, table, rows, key, extra) {
    for (const some of inStatements(rows)) {
      await tx.execute(...insertSome(table, some, key, extra)).catch(runAgainWhenBeaten);
    }
  },

  isDuplicateKey,
  isTransient,
  isUnavailable,
  isLocked: isTransient,
};

/** As many rows as the server takes in one statement, in round numbers: a handful of texts, of which it remembers the plans. */
function* inStatements(rows: readonly SqlParameters[]): Generator<readonly SqlParameters[]> {
  const most = Math.floor(MAX_PARAMETERS / Object.keys(rows[0] ?? {}).length);
  let start = 0;
  for (const size of [100, 50, 10, 1].filter((round) => round <= most)) {
    for (; rows.length - start >= size; start += size) yield rows.slice(start, start + size);
  }
}

function insertSome(
  table: string,
  rows: readonly SqlParameters[],
  key: string,
  extra: (column: (name: string) => string) => SqlExpressions,
): [string, SqlParameters] {
  const columns = Object.keys(rows[0] ?? {});
  const computed = extra((name) => `r.${name}`);
  const parameters: Record<string, SqlParameters[string]> = {};
  const selects = rows.map((row, n) => {
    for (const name of columns) parameters[`${name}_${n}`] = row[name] ?? null;
    return `SELECT ${n} AS RowPlace, ${columns.map((name) => `@${name}_${n} AS ${name}`).join(', ')}`;
  });
  // A key that comes twice is inserted once; what counts as the same key is the server's business.
  const numbered = `SELECT s.*, ROW_NUMBER() OVER (PARTITION BY s.${key} ORDER BY s.RowPlace) AS KeyTurn`;
  const sql =
    `INSERT INTO dbo.${table} (${[...columns, ...Object.keys(computed)].join(', ')}) ` +
    `SELECT ${[...columns.map((name) => `r.${name}`), ...Object.values(computed)].join(', ')} ` +
    `FROM (${numbered} FROM (${selects.join(' UNION ALL ')}) AS s) AS r ` +
    `WHERE (r.KeyTurn = 1 OR r.${key} IS NULL) ` +
    `AND NOT EXISTS (SELECT 1 FROM dbo.${table} AS x WHERE x.${key} IS NOT NULL AND x.${key} = r.${key})`;
  return [sql, parameters];
}

function inserted(names: readonly string[]): string {
  return names.map((name) => `inserted.[${name}] AS [${name}]`).join(', ');
}
