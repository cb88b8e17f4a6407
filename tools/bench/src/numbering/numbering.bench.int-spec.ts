import { DocumentNumbers } from '@malote/numbering';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contest } from './contest.ts';
import { direct } from './direct.ts';
import { RegisterFile } from './register-file.ts';
import { requestFor } from './request.ts';

const SMALL = { callers: 8, rounds: 1, warmUpMs: 20, measuredMs: 100 };

it('measures numbers per second beside the bare loop, and proves the numbers it counted', async () => {
  const { value, limit, verified, ...figure } = await direct(SMALL);
  expect(figure).toMatchObject({ figure: 'numbering.direct', unit: '/s', aim: '>=0.8', callers: 8 });
  expect(value).toBeGreaterThan(0);
  expect(limit).toBeGreaterThan(0);
  expect(verified).toBeGreaterThan(8);
}, 30_000);

it('throws instead of counting numbers that nobody wrote down', async () => {
  let number = 0;
  const liar = { take: () => Promise.resolve((number += 1)), end: () => Promise.resolve() };
  await expect(contest(SMALL, () => Promise.resolve(liar))).rejects.toThrow('became 0 entries');
}, 30_000);

describe('the check of a register', () => {
  let file: RegisterFile;
  beforeEach(async () => {
    file = await RegisterFile.create();
    const numbers = new DocumentNumbers(file.uow);
    for (let n = 0; n < 3; n += 1) await numbers.take(requestFor(file.documentTypeId), new Date());
  });
  afterEach(() => file.remove());

  it('is content with each number once, in whatever order they were answered', async () => {
    await expect(file.check([2, 3, 1])).resolves.toBeUndefined();
  });

  it.each([
    ['a number that was answered twice', [1, 2, 2], 'Instead of 3 somebody was given 2'],
    ['a number that was never answered', [1, 3, 4], 'Instead of 2 somebody was given 3'],
    ['an entry that nobody was answered', [1, 2], '2 numbers became 3 entries'],
  ])('refuses %s', async (_what, answered, problem) => {
    await expect(file.check(answered)).rejects.toThrow(problem);
  });

  it('refuses a register that was changed', async () => {
    const connection = file.connect();
    connection.exec("UPDATE TB_NUMBER_LOGS SET Subject = 'outro' WHERE Number = 2");
    connection.close();
    await expect(file.check([1, 2, 3])).rejects.toThrow('entry-altered');
  });
});
