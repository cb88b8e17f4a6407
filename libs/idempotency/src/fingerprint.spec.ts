import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import { fingerprint, matchRequest } from './fingerprint.ts';

const ticket = { method: 'POST', route: '/api/tickets', body: { phase: 15, weights: [1, 2] } };

describe('a fingerprint', () => {
  it('never changes between releases, because it is stored', () => {
    expect(fingerprint(ticket)).toBe('e2abddeec3790719101f305199987a61dcaabb8da16522681f59ddb7431801e4');
  });

  it('does not see key order, blanks or the case of the method', () => {
    const body = JSON.parse('{ "weights": [1.0, 2], "phase": 15 }') as JsonValue;
    expect(fingerprint({ method: 'post', route: '/api/tickets', body })).toBe(fingerprint(ticket));
  });

  it.each([
    ['the method', { ...ticket, method: 'PUT' }],
    ['the route', { ...ticket, route: '/api/tickets/1' }],
    ['a value', { ...ticket, body: { phase: 6, weights: [1, 2] } }],
    ['the type of a value', { ...ticket, body: { phase: '15', weights: [1, 2] } }],
    ['the order of a list', { ...ticket, body: { phase: 15, weights: [2, 1] } }],
    ['a member more', { ...ticket, body: { ...ticket.body, note: null } }],
    ['no body', { ...ticket, body: undefined }],
    ['a null body', { ...ticket, body: null }],
  ])('sees %s', (_, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(ticket));
  });

  it('tells a missing body from null', () => {
    expect(fingerprint({ ...ticket, body: undefined })).not.toBe(fingerprint({ ...ticket, body: null }));
  });

  it('differs exactly when the content does', () => {
    const anyBody = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(anyBody, anyBody, (one, other) => {
        const same = fingerprint({ ...ticket, body: one }) === fingerprint({ ...ticket, body: other });
        expect(same).toBe(canonicalJson(one) === canonicalJson(other));
      }),
    );
  });
});

describe('a request under a key', () => {
  it('is new, a replay of the stored one, or another request that may not reuse the key', () => {
    expect(matchRequest(undefined, 'aa')).toBe('new');
    expect(matchRequest({ fingerprint: 'aa' }, 'aa')).toBe('replay');
    expect(matchRequest({ fingerprint: 'aa' }, 'ab')).toBe('mismatch');
  });
});
