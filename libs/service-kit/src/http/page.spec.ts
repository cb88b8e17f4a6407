import { expect, it } from '@jest/globals';
import { pageOf, PageQuery } from './page.ts';

class Filters extends PageQuery {
  status?: string;
}

const rows = Array.from({ length: 7 }, (_, n) => ({ id: String(n + 1) }));

function read(query: Partial<Filters>, list = 'tickets') {
  return pageOf<{ id: string }>(
    list,
    Object.assign(new Filters(), { limit: 3 }, query),
    ({ id }) => id,
    (after, count) =>
      Promise.resolve(rows.filter(({ id }) => Number(id) > Number(after ?? 0)).slice(0, count)),
  );
}

it('walks a list to its end, each row once', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);

  expect(seen).toEqual(rows.map(({ id }) => id));
});

it('has no next page when the last row fits exactly', async () => {
  expect((await read({ limit: 7 })).next).toBeUndefined();
});

it('refuses a cursor of another list, of other filters, and one it did not make', async () => {
  const { next = '' } = await read({ status: 'Error' });
  await expect(read({ status: 'Error', cursor: next })).resolves.toMatchObject({
    items: [{ id: '4' }, {}, {}],
  });

  for (const query of [{ cursor: next }, { status: 'Sent', cursor: next }, { cursor: 'x' }, { cursor: '' }]) {
    await expect(read(query)).rejects.toMatchObject({ kind: 'invalid', code: 'invalid-cursor' });
  }
  await expect(read({ status: 'Error', cursor: next }, 'acks')).rejects.toMatchObject({
    code: 'invalid-cursor',
  });
});
