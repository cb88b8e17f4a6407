import {
  type Dialect,
  driverErrorOf,
  type GroupMinimum,
  insertion,
  keyCondition,
  sameKey,
  type SqlExpressions,
} from '../dialect.ts';
import { type SqlParameters } from '../tx.ts';

export const sqliteNow = "strftime('%Y-%m-%d %H:%M:%f', 'now')";

const OUT_OF_REACH = [
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_NOTADB',
  'SQLITE_CORRUPT',
];

/** One writer at a time, so nothing needs a row lock. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  now: sqliteNow,
  rowWrite: '',
  lockedRead: '',
  committedRead: '',
  monitoringRead: '',

  nowPlusMs: (milliseconds) =>
    `strftime('%Y-%m-%d %H:%M:%f', 'now', (${milliseconds} / 1000.0) || ' seconds')`,

  nowPlusSeconds: (seconds) => `strftime('%Y-%m-%d %H:%M:%f', 'now', (${seconds}) || ' seconds')`,

  table: (name) => `"${name}"`,

  jsonRows(parameter, columns) {
    const fields = Object.entries(columns).map(([name, type]) => {
      const value = `value ->> '${name}'`;
      return type.startsWith('varchar') || type.startsWith('nvarchar')
        ? `${value} AS ${name}`
        : `CAST(${value} AS INTEGER) AS ${name}`;
    });
    return `(SELECT ${fields.join(', ')} FROM json_each(@${parameter}))`;
  },

  // Without statistics SQLite takes an index on a status for better than the ids; NOT INDEXED leaves the ids only.
  update({ table, set, from, byId, where, returning }) {
    const rows = byId ?? from;
    const source = rows ? ` FROM ${rows} AS r` : '';
    const [hint, join] = byId ? [' NOT INDEXED', 't.Id = r.Id AND '] : ['', ''];
    return (
      `UPDATE "${table}" AS t${hint} SET ${set('t')}${source} WHERE ${join}${where('t')} ` +
      `RETURNING ${columns(returning)}`
    );
  },

  changeOne(tx, change, parameters) {
    const { table, set, returning } = change;
    return tx.first(
      `UPDATE "${table}" SET ${set} WHERE ${keyCondition(change)} RETURNING ${columns(returning)}`,
      parameters,
    );
  },

  claim({ table, set, where, orderBy, limit, groups, returning }) {
    const first = (more: string) =>
      `SELECT t.Id FROM "${table}" AS t WHERE ${where('t')}${more} ORDER BY ${orderBy('t')} LIMIT @${limit}`;
    // A table function is the only thing here that may look at the row beside it.
    const chosen = groups
      ? `SELECT x.value FROM json_each(@${groups.parameter}) AS g, json_each((SELECT json_group_array(f.Id) FROM ` +
        `(${first(` AND t.${groups.column} = g.value ->> 'Name'`)}) AS f)) AS x`
      : first('');
    return (
      `UPDATE "${table}" AS t SET ${set('t')} WHERE t.Id IN (${chosen}) ` + `RETURNING ${columns(returning)}`
    );
  },

  groupMinima: (sources) =>
    sources.map((source, n) => `SELECT * FROM (${minimaOf(source, n)})`).join(' UNION ALL '),

  contains: (column, parameter) => `instr(${column}, @${parameter}) > 0`,

  top: (limit, select) => `SELECT ${select} LIMIT ${limit}`,

  lock: () => Promise.resolve(),

  // Without a network in between, one after the other is quickest.
  async insertAll(tx, table, rows) {
    const { names, sources } = insertion(rows[0] ?? {});
    const insert = `INSERT INTO "${table}" (${names}) VALUES (${sources})`;
    for (const row of rows) await tx.execute(insert, row);
  },

  async insertOnce(tx, table, values, key, extra) {
    const { insert, find } = insertOnceSql(table, values, key, extra);
    const made = await tx.first<{ Id: number }>(insert, values);
    if (made) return { id: String(made.Id), inserted: true };
    const existing = await tx.first<{ Id: number }>(find, sameKey(key, values).parameters);
    if (!existing) throw new Error(`A row of ${table} stood in the way of an insert and is gone`);
    return { id: String(existing.Id), inserted: false };
  },

  async insertAllOnce(tx, table, rows, key, extra) {
    const expressions = extra((name) => `@${name}`);
    for (const row of rows) await this.insertOnce(tx, table, row, key, expressions);
  },

  isDuplicateKey: (error) => {
    const code = driverErrorOf(error).code;
    return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
  },

  isTransient: (error) =>
    codeOf(error).startsWith('SQLITE_BUSY') || codeOf(error).startsWith('SQLITE_LOCKED'),

  // There is one lock for the whole file: whoever cannot have it has no database.
  isLocked: () => false,

  isUnavailable: (error) =>
    sqliteDialect.isTransient(error) || OUT_OF_REACH.some((code) => codeOf(error).startsWith(code)),
};

function minimaOf({ table, group, value, where }: GroupMinimum, source: number): string {
  const of = `FROM "${table}" AS t WHERE ${where('t')}`;
  if (!group)
    return `SELECT ${source} AS Source, '' AS GroupKey, MIN(t.${value}) AS Smallest, ${sqliteNow} AS Now ${of}`;
  const smallest = (column: string, more: string) =>
    `(SELECT t.${column} ${of}${more} ORDER BY t.${group}, t.${value} LIMIT 1)`;
  return (
    `WITH RECURSIVE g(grp) AS (SELECT ${smallest(group, '')} UNION ALL ` +
    `SELECT ${smallest(group, ` AND t.${group} > g.grp`)} FROM g WHERE g.grp IS NOT NULL) ` +
    `SELECT ${source} AS Source, g.grp AS GroupKey, ${smallest(value, ` AND t.${group} = g.grp`)} AS Smallest, ${sqliteNow} AS Now ` +
    `FROM g WHERE g.grp IS NOT NULL`
  );
}

const insertOnceTexts = new Map<string, { readonly insert: string; readonly find: string }>();

/** Made once per shape: an insert takes less time than its text, and a text that is the same one finds its statement quicker. */
function insertOnceSql(
  table: string,
  values: SqlParameters,
  key: string | readonly string[],
  extra: SqlExpressions = {},
) {
  const shape = [table, key, ...Object.keys(values), ...Object.keys(extra), ...Object.values(extra)].join();
  let texts = insertOnceTexts.get(shape);
  if (!texts) {
    const { names, sources } = insertion(values, extra);
    const { columns, condition } = sameKey(key, values);
    // SQLite asks for the filter of a filtered index, and passes it over where the index has none.
    const filter = columns.map((name) => `${name} IS NOT NULL`).join(' AND ');
    texts = {
      insert:
        `INSERT INTO "${table}" (${names}) VALUES (${sources}) ` +
        `ON CONFLICT (${columns.join(', ')}) WHERE ${filter} DO NOTHING RETURNING Id`,
      find: `SELECT Id FROM "${table}" WHERE ${condition}`,
    };
    insertOnceTexts.set(shape, texts);
  }
  return texts;
}

function codeOf(error: unknown): string {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' ? code : '';
}

function columns(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
