import { describe, expect, it } from '@jest/globals';
import { type SqlParameters, type SqlRow, type Tx } from '../tx.ts';
import { sqlServerDialect as dialect } from './sqlserver-dialect.ts';

/** Notes what is asked of the server, and answers each question with the next of the given rows. */
function recording(...answers: SqlRow[][]) {
  const said: { readonly sql: string; readonly parameters: SqlParameters }[] = [];
  const note = (sql: string, parameters: SqlParameters) => said.push({ sql, parameters });
  const tx = {
    query: (sql: string, parameters: SqlParameters = {}) => {
      note(sql, parameters);
      return Promise.resolve(answers.shift() ?? []);
    },
    execute: (sql: string, parameters: SqlParameters = {}) => Promise.resolve(note(sql, parameters)),
  } as unknown as Tx;
  return { said, tx };
}

/** The statement without what stands in parentheses: its own target, not those of its subqueries. */
function outside(sql: string): string {
  const less = sql.replace(/\([^()]*\)/g, '');
  return less === sql ? sql : outside(less);
}

it('locks one resource, however its name is spelt', async () => {
  const { said, tx } = recording();

  await dialect.lock(tx, 'TB_NOTE:ABC');
  await dialect.lock(tx, 'tb_note:abc');

  expect(said[0]?.parameters).toEqual(said[1]?.parameters);
});

describe('an insert that happens once', () => {
  it('says what the filter of the key says, in the insert and when it reads the row that was there', async () => {
    const { said, tx } = recording([], [{ Id: '7' }]);

    const result = await dialect.insertOnce(tx, 'TB_NOTE', { Series: '1', Number: 5, Text: 'x' }, [
      'Series',
      'Number',
    ]);

    const key = 'Series IS NOT NULL AND Series = @Series AND Number IS NOT NULL AND Number = @Number';
    expect(said.map(({ sql }) => sql)).toEqual([
      'INSERT INTO dbo.TB_NOTE (Series, Number, Text) OUTPUT inserted.Id AS [Id] SELECT @Series, @Number, @Text ' +
        `WHERE NOT EXISTS (SELECT Id AS [Id] FROM dbo.TB_NOTE WHERE ${key})`,
      `SELECT Id AS [Id] FROM dbo.TB_NOTE WHERE ${key}`,
    ]);
    expect(said[1]?.parameters).toEqual({ Series: '1', Number: 5 });
    expect(result).toEqual({ id: '7', inserted: false });
  });

  it('says so for many rows too, and lets a key that comes twice in once', async () => {
    const { said, tx } = recording();
    const due = (column: (name: string) => string) => ({ Due: `LEN(${column('Code')})` });

    await dialect.insertAllOnce(tx, 'TB_NOTE', [{ Code: 'a' }], 'Code', due);

    expect(said[0]?.sql).toMatch(
      /^INSERT INTO dbo\.TB_NOTE \(Code, Due\) SELECT r\.Code, LEN\(r\.Code\) FROM /,
    );
    expect(said[0]?.sql).toContain('ROW_NUMBER() OVER (PARTITION BY s.Code ORDER BY s.RowPlace) AS KeyTurn');
    expect(said[0]?.sql).toMatch(
      /WHERE \(r\.KeyTurn = 1 OR r\.Code IS NULL\) AND NOT EXISTS \(SELECT 1 FROM dbo\.TB_NOTE AS x WHERE x\.Code IS NOT NULL AND x\.Code = r\.Code\)$/,
    );
  });

  it('comes in a handful of texts, however many rows there are', async () => {
    const { said, tx } = recording();
    const rows = Array.from({ length: 268 }, (_, n) => ({ Code: `code-${n}` }));

    await dialect.insertAllOnce(tx, 'TB_NOTE', rows, 'Code', () => ({}));

    const sizes = said.map(({ parameters }) => Object.keys(parameters).length);
    expect(sizes).toEqual([100, 100, 50, 10, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(new Set(said.map(({ sql }) => sql)).size).toBe(4);
  });
});

describe('rows of many columns', () => {
  const wide = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`Column${n}`, n]));
  const rows = Array.from({ length: 101 }, () => wide);

  it.each([
    ['inserted', (tx: Tx) => dialect.insertAll(tx, 'TB_NOTE', rows)],
    ['inserted once', (tx: Tx) => dialect.insertAllOnce(tx, 'TB_NOTE', rows, 'Column0', () => ({}))],
  ])('come in statements of no more parameters than the server takes: %s', async (_, insert) => {
    const { said, tx } = recording();

    await insert(tx);

    const sizes = said.map(({ parameters }) => Object.keys(parameters).length);
    expect(Math.max(...sizes)).toBeLessThan(2_100);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(25 * 101);
  });
});

describe('an update of many rows', () => {
  const change = {
    table: 'TB_NOTE',
    set: (row: string) => `Tries = ${row}.Tries + 1`,
    where: (row: string) => `${row}.Status = 'Open'`,
    returning: ['Id', 'Tries'],
  };
  const ids = dialect.jsonRows('ids', { Id: 'bigint' });

  it.each([
    ['all that fit', {}, /SET .+ OUTPUT .+ WHERE TB_NOTE\.Status = 'Open'$/],
    [
      'those with the given ids',
      { byId: ids },
      / FROM dbo\.TB_NOTE, OPENJSON.+ AS r WHERE TB_NOTE\.Id = r\.Id AND /,
    ],
    [
      'those a source is joined to',
      { from: ids },
      / FROM dbo\.TB_NOTE, OPENJSON.+ AS r WHERE TB_NOTE\.Status/,
    ],
  ])('names its target without an alias, and waits for rows that are held: %s', (_, source, rest) => {
    const sql = dialect.update({ ...change, ...source });

    expect(sql).toMatch(/^UPDATE dbo\.TB_NOTE WITH \(ROWLOCK\) SET Tries = TB_NOTE\.Tries \+ 1 OUTPUT /);
    expect(sql).toContain('OUTPUT inserted.[Id] AS [Id], inserted.[Tries] AS [Tries]');
    expect(sql).toMatch(rest);
    expect(sql).not.toContain('READPAST');
    expect(outside(sql)).not.toMatch(/dbo\.\w+ AS /);
  });
});

describe('a claim', () => {
  const statement = {
    table: 'TB_NOTE',
    set: (row: string) => `Tries = ${row}.Tries + 1`,
    where: (row: string) => `${row}.Due <= SYSUTCDATETIME()`,
    orderBy: (row: string) => `${row}.Due`,
    limit: 'limit',
    returning: ['Id'],
  };

  it.each([
    ['of all rows', statement],
    ['of groups', { ...statement, groups: { column: 'Target', parameter: 'targets' } }],
  ])('skips rows that are held where it looks and where it writes, and looks twice: %s', (_, claim) => {
    const sql = dialect.claim(claim);

    expect(sql).toMatch(/^UPDATE dbo\.TB_NOTE WITH \(ROWLOCK, UPDLOCK, READPAST\) SET /);
    expect(sql).toContain(
      'FROM dbo.TB_NOTE AS t WITH (ROWLOCK, UPDLOCK, READPAST) WHERE t.Due <= SYSUTCDATETIME()',
    );
    expect(sql).toMatch(/ WHERE TB_NOTE\.Due <= SYSUTCDATETIME\(\) AND TB_NOTE\.Id IN \(SELECT /);
    expect(outside(sql)).not.toContain(' FROM ');
  });

  it('takes so many rows of each group', () => {
    const sql = dialect.claim({ ...statement, groups: { column: 'Target', parameter: 'targets' } });

    expect(sql).toContain(
      "FROM OPENJSON(@targets) WITH (Name varchar(500) '$.Name') AS g CROSS APPLY (SELECT TOP (@limit) ",
    );
    expect(sql).toContain(' AND t.Target = g.Name ORDER BY t.Due) AS f');
  });
});
