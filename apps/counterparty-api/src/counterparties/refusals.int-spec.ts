import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CounterpartyClient } from '../testing/counterparty-client.ts';

let partner: CounterpartyClient;

beforeAll(async () => {
  partner = await CounterpartyClient.start();
});

afterAll(() => partner.close());

interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

async function errorsOf(body: unknown): Promise<readonly FieldError[]> {
  const answer = await partner.post(body);
  expect(answer.status).toBe(400);
  return (answer.body.errors ?? []) as FieldError[];
}

const places: [pointer: string, length: number, bodyWith: (value: unknown) => object][] = [
  ...Object.entries(COUNTERPARTY_LENGTHS).map(([name, length]): (typeof places)[number] => [
    `/${name}`,
    length,
    (value) => ({ businessDocId: 'D1', [name]: value }),
  ]),
  ...Object.entries(ADDRESS_LENGTHS).map(([name, length]): (typeof places)[number] => [
    `/addresses/1/${name}`,
    length,
    (value) => ({ businessDocId: 'D1', addresses: [{}, { [name]: value }] }),
  ]),
  ...Object.entries(FISCAL_REFERENCE_LENGTHS).map(([name, length]): (typeof places)[number] => [
    `/fiscalReferences/0/${name}`,
    length,
    (value) => ({ businessDocId: 'D1', fiscalReferences: [{ [name]: value }] }),
  ]),
];

it.each(places)('%s holds %i characters and not one more', async (pointer, length, bodyWith) => {
  expect((await partner.post(bodyWith('x'.repeat(length)))).status).toBe(200);

  const [error, ...others] = await errorsOf(bodyWith('x'.repeat(length + 1)));
  expect(error).toMatchObject({ pointer, message: expect.stringContaining(`${length} `) });
  expect(others).toEqual([]);
});

it.each(places)('%s takes neither an emoji nor a number', async (pointer, _, bodyWith) => {
  for (const value of ['🚚', 7]) expect(await errorsOf(bodyWith(value))).toMatchObject([{ pointer }]);
});

it.each(['/businessDocId', '/businessEntity'])('%s takes no blanks at its ends', async (pointer) => {
  for (const key of ['TCK ', ' TCK', '', ' ']) {
    const body = { businessDocId: 'D1', [pointer.slice(1)]: key };
    expect(await errorsOf(body)).toMatchObject([{ pointer, code: 'is-key' }]);
  }
});

it.each<[string, object, string]>([
  ['no key', {}, '/businessDocId'],
  ['a key that is null', { businessDocId: null }, '/businessDocId'],
  ['a flag that is text', { businessDocId: 'D1', isDeleted: 'false' }, '/isDeleted'],
  [
    'a flag that is a number',
    { businessDocId: 'D1', addresses: [{ isMainAddress: 1 }] },
    '/addresses/0/isMainAddress',
  ],
  ['one address where a list belongs', { businessDocId: 'D1', addresses: {} }, '/addresses'],
  ['an address that is null', { businessDocId: 'D1', addresses: [{}, null] }, '/addresses'],
  ['an address that is a list', { businessDocId: 'D1', addresses: [[]] }, '/addresses'],
  ['201 addresses', { businessDocId: 'D1', addresses: Array(201).fill({}) }, '/addresses'],
  ['201 references', { businessDocId: 'D1', fiscalReferences: Array(201).fill({}) }, '/fiscalReferences'],
  ['the same name twice, in different case', { businessDocId: 'D1', BusinessDocID: 'D2' }, '/BusinessDocID'],
])('refuses %s', async (_, body, pointer) => {
  expect((await errorsOf(body))[0]).toMatchObject({ pointer });
});

it('names all that is wrong at once', async () => {
  const errors = await errorsOf({
    businessDocId: ' ',
    name: '🚚',
    addresses: [{ state: 'x'.repeat(11) }],
    fiscalReferences: [{ fiscalReferenceTypeCode: 'BR1', fiscalNumber: '12345678000190' }],
  });
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
    '/addresses/0/state',
    '/businessDocId',
    '/fiscalReferences/0/fiscalNumber',
    '/name',
  ]);
});

it('refuses a second main address, unless one of the two is deleted', async () => {
  const main = { isMainAddress: true };
  const addresses = [main, {}, { ...main, isDeleted: true }];
  expect((await partner.post({ businessDocId: 'D1', addresses })).status).toBe(200);

  expect(await errorsOf({ businessDocId: 'D1', addresses: [...addresses, main] })).toEqual([
    {
      pointer: '/addresses',
      code: 'has-one-main-address',
      message: 'addresses must have one main address at most; 0 and 3 are marked and not deleted',
    },
  ]);
});

it.each(['BR1', 'br1', ' Br1 '])('asks a reference of type %j for a CNPJ or CPF', async (code) => {
  const bodyWith = (...numbers: unknown[]) => ({
    businessDocId: 'D1',
    fiscalReferences: numbers.map((fiscalNumber) => ({ fiscalReferenceTypeCode: code, fiscalNumber })),
  });
  const good = ['12345678000195', '12.abc.345/01de-35', '529.982.247-25'];
  expect((await partner.post(bodyWith(...good))).status).toBe(200);

  for (const bad of ['12345678000190', '12.ABC.345/01DE-36', '11111111111', '', 'ISENTO', null, undefined]) {
    expect(await errorsOf(bodyWith('52998224725', bad))).toContainEqual({
      pointer: '/fiscalReferences/1/fiscalNumber',
      code: 'holds-tax-id',
      message: 'fiscalNumber must be a valid CNPJ or CPF, since its type is BR1',
    });
  }
});

it('asks no other reference for a CNPJ', async () => {
  for (const fiscalReferenceTypeCode of ['BR3', 'BR11', null]) {
    const fiscalReferences = [{ fiscalReferenceTypeCode, fiscalNumber: 'ISENTO' }];
    expect((await partner.post({ businessDocId: 'D1', fiscalReferences })).status).toBe(200);
  }
});

it.each([
  ['NUL', '{"businessDocId":"D1","x":"a\\u0000b"}', 'forbidden-character'],
  ['half a character', '{"businessDocId":"D1","x":"\\ud83d"}', 'forbidden-character'],
  ['a key twice', '{"businessDocId":"D1","businessDocId":"D2"}', 'duplicate-key'],
  ['a number that would be rounded', '{"businessDocId":"D1","x":9007199254740993}', 'number-precision'],
  ['far too deep nesting', `{"businessDocId":"D1","x":${'['.repeat(80)}${']'.repeat(80)}}`, 'json-too-deep'],
  ['a prototype', '{"businessDocId":"D1","__proto__":{"name":"x"}}', 'forbidden-key'],
  ['no JSON', '{"businessDocId":', 'malformed-json'],
  ['no body', '', 'empty-body'],
  ['a list', '[]', 'validation-failed'],
])('refuses a body with %s', async (_, body, code) => {
  expect(await partner.post(body)).toMatchObject({ status: 400, body: { code } });
});

it('takes a body of 1 MB and not a byte more', async () => {
  const start = '{"businessDocId":"BIG","businessEntity":"TCK","x":"';
  const bodyOf = (bytes: number) => `${start}${'y'.repeat(bytes - start.length - 2)}"}`;

  expect((await partner.post(bodyOf(1_048_576))).status).toBe(200);
  expect(await partner.post(bodyOf(1_048_577))).toMatchObject({
    status: 413,
    body: { code: 'body-too-large' },
  });
});

it.each<[Readonly<Record<string, string>>, string]>([
  [{}, '/businessEntity'],
  [{ businessDocID: 'D1' }, '/businessEntity'],
  [{ businessEntity: '' }, '/businessEntity'],
  [{ businessEntity: 'TCK ' }, '/businessEntity'],
  [{ businessEntity: 'TCK', businessDocID: '' }, '/businessDocID'],
  [{ businessEntity: 'TCK', businessDocID: 'x'.repeat(101) }, '/businessDocID'],
  [{ businessEntity: 'TCK', limit: '0' }, '/limit'],
  [{ businessEntity: 'TCK', limit: '-1' }, '/limit'],
  [{ businessEntity: 'TCK', limit: '1000000000' }, '/limit'],
  [{ businessEntity: 'TCK', limit: '1e9' }, '/limit'],
  [{ businessEntity: 'TCK', limit: 'ten' }, '/limit'],
  [{ businessEntity: 'TCK', isDeleted: 'yes' }, '/isDeleted'],
  [{ businessEntity: 'TCK', entityType: '' }, '/entityType'],
  [{ businessEntity: 'TCK', counterpartyId: '🚚' }, '/counterpartyId'],
  [{ businessEntity: 'TCK', fiscalNumber: 'x'.repeat(31) }, '/fiscalNumber'],
  [{ businessEntity: 'TCK', page: '2' }, '/page'],
])('refuses the query %j', async (query, pointer) => {
  const { status, body } = await partner.get(query);
  expect([status, body.errors]).toMatchObject([
    400,
    expect.arrayContaining([expect.objectContaining({ pointer })]),
  ]);
});

it('refuses a parameter that comes twice', async () => {
  const token = await partner.service.token({ scope: 'counterparties:read' });
  for (const name of ['businessEntity', 'BUSINESSENTITY']) {
    const path = `/api/counterparties?businessEntity=TCK&${name}=ABC`;
    expect((await partner.service.fetch(path, { token })).status).toBe(400);
  }
});
