import { expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { type DatabaseFacts } from './database-facts.ts';
import { readFacts } from './read-facts.ts';

/** Answers the queries a test knows by a word in them; all others find nothing. */
function server(answers: Readonly<Record<string, () => Promise<object[]>>>) {
  return async <Row extends object>(sql: string) => {
    const known = Object.entries(answers).find(([word]) => sql.includes(word));
    return (known ? await known[1]() : []) as Row[];
  };
}

const rows =
  (...list: object[]) =>
  () =>
    Promise.resolve(list);
const failing = (message: string, number?: number) => () => {
  const driverError = Object.assign(new Error(message), { number });
  return Promise.reject(new QueryFailedError('SELECT', [], driverError));
};

const read = (answers: Parameters<typeof server>[0], budgetMs?: number): Promise<DatabaseFacts> =>
  readFacts(server(answers), ['TB_PAPER'], budgetMs);

it('turns the rows of the catalogue into the terms of the schema', async () => {
  const column = {
    Table: 'TB_PAPER',
    Nullable: false,
    Identity: false,
    FillsItself: 0,
    Precision: 0,
    Scale: 0,
  };
  const { columns } = await read({
    'sys.columns AS c JOIN': rows(
      { ...column, Name: 'Id', Type: 'bigint', Length: 8, Precision: 19, Identity: true, FillsItself: 1 },
      { ...column, Name: 'Code', Type: 'varchar', Length: 20 },
      { ...column, Name: 'Title', Type: 'nvarchar', Length: 100 },
      { ...column, Name: 'Text', Type: 'nvarchar', Length: -1, Nullable: true },
      { ...column, Name: 'Amount', Type: 'numeric', Length: 9, Precision: 15, Scale: 2 },
      { ...column, Name: 'At', Type: 'datetime2', Length: 8, Scale: 6 },
      { ...column, Name: 'Day', Type: 'datetime2', Length: 6, Scale: 0 },
    ),
  });

  const types = 'value' in columns ? columns.value.map(({ name, type }) => `${name} ${type}`) : [];
  expect(types).toEqual([
    'Id BIGINT',
    'Code VARCHAR(20)',
    'Title NVARCHAR(50)',
    'Text NVARCHAR(MAX)',
    'Amount DECIMAL(15,2)',
    'At DATETIME2',
    'Day DATETIME2(0)',
  ]);
  expect(columns).toMatchObject({
    value: [{ identity: true, fillsItself: true }, { nullable: false }, {}, { nullable: true }, {}, {}, {}],
  });
});

it('puts the columns of each index in their order', async () => {
  const of = (name: string, place: number, column: string, unique = false) => ({
    Table: 'TB_PAPER',
    Index: name,
    Place: place,
    Column: column,
    Unique: unique,
    Filtered: false,
  });
  const { indexes } = await read({
    'sys.index_columns': rows(of('a', 2, 'Id'), of('b', 1, 'Code', true), of('a', 1, 'DueAt')),
  });
  expect(indexes).toEqual({
    value: [
      { table: 'TB_PAPER', columns: ['Code'], unique: true, filtered: false },
      { table: 'TB_PAPER', columns: ['DueAt', 'Id'], unique: false, filtered: false },
    ],
  });
});

it('knows a database without OPENJSON by the number of its error, and by no other', async () => {
  expect((await read({ OPENJSON: rows({ Rows: 1 }) })).hasOpenJson).toEqual({ value: true });
  expect((await read({ OPENJSON: failing('Invalid object name', 208) })).hasOpenJson).toEqual({
    value: false,
  });
  expect((await read({ OPENJSON: failing('No right', 229) })).hasOpenJson).toEqual({ unknown: 'No right' });
});

it('asks a login that may not see modules to be granted that', async () => {
  const { oldModules } = await read({
    HAS_PERMS_BY_NAME: rows({ Allowed: 0 }),
    sql_modules: failing('not asked'),
  });
  expect(oldModules).toEqual({ unknown: expect.stringContaining('GRANT VIEW DEFINITION') });
});

it('leaves one unknown that fails, and asks the others', async () => {
  const facts = await read({ 'sys.triggers': failing('relation "sys.triggers" does not exist') });
  expect(facts.triggers).toEqual({ unknown: 'relation "sys.triggers" does not exist' });
  expect(facts.columns).toEqual({ value: [] });
});

it('gives up on what takes too long, and on all that would come after', async () => {
  const hangs = () => new Promise<never>(() => undefined);
  const facts = await read({ OPENJSON: rows({ Rows: 1 }), 'sys.triggers': hangs }, 50);
  expect(facts.hasOpenJson).toEqual({ value: true });
  expect(facts.triggers).toEqual({ unknown: 'there was no answer in time' });
  expect(facts.oldModules).toEqual({ unknown: 'there was no answer in time' });
});
