import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { RegisterRepository } from './register.repository.ts';

it('reads a page in two statements, which are the same however many numbers it has', async () => {
  const textsFor = async (...ids: string[]) => {
    const recorder = new SqlRecorder(ids.map((Id) => ({ Id })));
    await recorder.read((tx) => new RegisterRepository().list(tx, {}, undefined, 20));
    return recorder.said;
  };
  const [many, one] = [await textsFor('7', '8', '9'), await textsFor('7')];

  expect(many).toHaveLength(2);
  expect(many.map(({ sql }) => sql)).toEqual(one.map(({ sql }) => sql));
  expect(many[1]?.sql).toContain("n.Id IN (SELECT i.Id FROM OPENJSON(@ids) WITH (Id bigint '$.Id') AS i)");
  expect(many[1]?.parameters).toEqual({ ids: '[{"Id":"7"},{"Id":"8"},{"Id":"9"}]' });
});
