import { describe, expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi, pointersOf } from '../testing/ticket-api.ts';

const LIMIT = 1_048_576;
/** The JSON of a good ticket with one more member, written as given. */
const withMember = (member: string) => JSON.stringify(shipmentTicket()).replace(/\}$/, `,${member}}`);

describeTicketApi('the JSON of a ticket', (api) => {
  describe('is kept byte for byte', () => {
    it.each([
      ['unknown fields, lists and objects', withMember('"cargo":[{"name":"soja","bags":[1,2.50,null]},{}]')],
      ['characters of four bytes', withMember('"driver":"João 🚚 𠮷 €"')],
      ['escapes, which stay escapes', withMember(String.raw`"note":"\u00e9\ud83d\ude9a\/\t"`)],
      ['blanks and line ends', withMember('\r\n\t "note" : "x" \n')],
      ['numbers as they were written', withMember('"a":1.50,"b":1e3,"c":-0,"d":9007199254740991')],
      ['empty names', withMember('"":{"":1}')],
    ])('with %s', async (_, json) => {
      expect((await api.post(json)).status).toBe(200);
      expect((await api.tickets()).map(({ rawPayloadJson }) => rawPayloadJson)).toEqual([json]);
    });

    it('up to a megabyte, and not a byte more', async () => {
      const fill = LIMIT - Buffer.byteLength(withMember('"fill":""'));
      const full = withMember(`"fill":"${'x'.repeat(fill)}"`);
      const { status, body } = await api.post(withMember(`"fill":"${'x'.repeat(fill + 1)}"`));
      expect([status, body.code]).toEqual([413, 'body-too-large']);
      expect(await api.tickets()).toEqual([]);

      expect((await api.post(full)).status).toBe(200);
      expect((await api.tickets())[0]?.rawPayloadJson === full).toBe(true);
    });
  });

  describe('is refused', () => {
    it.each([
      ['NUL', withMember(String.raw`"note":"a\u0000b"`), 'forbidden-character', ['/note']],
      ['half a character', withMember(String.raw`"note":["x","\ud83d"]`), 'forbidden-character', ['/note/1']],
      ['2^53 + 1', withMember('"seal":9007199254740993'), 'number-precision', ['/seal']],
      ['a number beyond all', withMember('"seal":1e999'), 'number-precision', ['/seal']],
      ['a name twice', withMember('"cargo":{"a":1,"a":1}'), 'duplicate-key', ['/cargo/a']],
      ['a field twice', withMember('"phaseCode":6'), 'duplicate-key', ['/phaseCode']],
      ['a field twice in another case', withMember('"PhaseCode":6'), 'duplicate-key', ['/PhaseCode']],
      ['__proto__', withMember('"__proto__":{"status":"Processed"}'), 'forbidden-key', ['/__proto__']],
      [
        'constructor.prototype',
        withMember('"constructor":{"prototype":{}}'),
        'forbidden-key',
        ['/constructor/prototype'],
      ],
      ['deep nesting', withMember(`"deep":${'['.repeat(64)}${']'.repeat(64)}`), 'json-too-deep', ['']],
      ['no end', withMember('"x":1').slice(0, -1), 'malformed-json', []],
      ['nothing', '', 'empty-body', []],
      ['a byte order mark', `\ufeff${withMember('"x":1')}`, 'malformed-json', []],
    ])('with %s', async (_, json, code, pointers) => {
      const answer = await api.post(json);
      expect([answer.status, answer.body.code, pointersOf(answer)]).toEqual([400, code, pointers]);
      expect(await api.tickets()).toEqual([]);
    });

    it.each([
      ['text/plain', 415],
      ['application/json; charset=utf-16', 415],
    ])('as %s', async (type, status) => {
      expect((await api.post(shipmentTicket(), { 'content-type': type })).status).toBe(status);
    });
  });

  it('of 63 levels and names that only look dangerous is taken', async () => {
    const json = withMember(`"deep":${'['.repeat(63)}${']'.repeat(63)},"constructor":1,"prototype":2`);
    expect((await api.post(json)).status).toBe(200);
  });
});
