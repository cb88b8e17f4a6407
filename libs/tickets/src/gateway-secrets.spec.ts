import { describe, expect, it } from '@jest/globals';
import { GatewayAddresses } from './gateway-addresses.ts';
import { gatewaySecretProblems, GatewaySecrets } from './gateway-secrets.ts';

const secret = (name: string) => `whsec_${Buffer.from(name.padEnd(24, '.')).toString('base64')}`;
const [shared, ofAsb, ofX] = [secret('shared'), secret('asb'), secret('x-1')];

const urls = {
  ASB: 'https://asb.example/v1/',
  X_1: 'https://gateway.example/v1/x',
  CRN: 'https://crn.example',
};
const addresses = new GatewayAddresses('https://gateway.example/v1', urls);
const secrets = new GatewaySecrets(addresses, [shared], { ASB: ofAsb, X_1: `${ofX}, ${shared}` });

describe('a delivery is signed with', () => {
  it.each(['asb', 'ASB'])('the secret of %s, whatever is delivered', (code) => {
    for (const address of [
      addresses.tickets(code),
      addresses.ticketReturn(code),
      addresses.functionalAck(code),
    ])
      expect(secrets.of(address)).toEqual([ofAsb]);
  });

  it('both secrets of an application while they rotate', () => {
    expect(secrets.of(addresses.tickets('x-1'))).toEqual([ofX, shared]);
  });

  it.each([
    ['the gateway itself', addresses.tickets('other')],
    ['an application that has an address and no secrets', addresses.tickets('CRN')],
    ['an address nobody configured', 'https://elsewhere.example/hook'],
    ['an address that only begins like another', 'https://asb.example/v10/tickets'],
    ['a host that only begins like another', 'https://asb.example.net/v1/tickets'],
    ['another port', 'https://asb.example:8443/v1/tickets'],
    ['what lies beside an own address', 'https://gateway.example/v1/x-rays'],
    ['no address at all', 'CRN'],
  ])('the shared secret to %s', (_, address) => {
    expect(secrets.of(address)).toEqual([shared]);
  });

  it.each([
    ['in capitals', 'HTTPS://ASB.EXAMPLE/v1/tickets'],
    ['with its default port', 'https://asb.example:443/v1/tickets'],
    ['with dots in its path', 'https://asb.example/v2/../v1/tickets'],
    ['with a query', 'https://asb.example/v1?key=1'],
  ])('the secret of an address that is written %s', (_, address) => {
    expect(secrets.of(address)).toEqual([ofAsb]);
  });

  it('the secret of the longest address, in whatever order they are given', () => {
    for (const nested of [
      { A: 'https://g.example/a', B: 'https://g.example/a/b' },
      { B: 'https://g.example/a/b', A: 'https://g.example/a' },
    ]) {
      const all = new GatewayAddresses('https://g.example', nested);
      const known = new GatewaySecrets(all, [shared], { A: ofAsb, B: ofX });
      expect(['A', 'B', 'C'].map((code) => known.of(all.tickets(code)))).toEqual([[ofAsb], [ofX], [shared]]);
    }
    const inside = new GatewayAddresses('https://g.example/a/gateway', { A: 'https://g.example/a' });
    const known = new GatewaySecrets(inside, [shared], { A: ofAsb });
    expect(known.of(inside.tickets())).toEqual([shared]);
  });
});

describe('a process starts', () => {
  const problems = (own: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
    gatewaySecretProblems(own, 'https://gateway.example/v1', { ...urls, ...more });

  it('when every secret belongs to an address of its own', () => {
    expect(problems({ ASB: ofAsb, x_1: `${ofX},${shared}` })).toEqual([]);
  });

  it.each([
    ['of nothing but commas', ' , '],
    ['without its prefix', ofAsb.replace('whsec_', '')],
    ['too short', 'whsec_c2hvcnQ='],
    ['of which one is none', `${ofAsb},qwerty`],
    ['that is padding only', `whsec_${'='.repeat(40)}`],
  ])('not with a secret %s, which it does not print', (_, list) => {
    expect(problems({ ASB: list })).toEqual([
      'GATEWAY_SIGNING_SECRETS_ASB must be secrets separated by commas, each whsec_ followed by 24 to 64 bytes in base64',
    ]);
  });

  it('not when an application with secrets has no address: it would share that of others', () => {
    expect(problems({ NEW: ofAsb })).toEqual([
      "GATEWAY_SIGNING_SECRETS_NEW needs an address that is this application's alone: set GATEWAY_URL_NEW",
    ]);
  });

  it.each([
    ['GATEWAY_URL', { NEW: 'https://GATEWAY.example/v1/' }],
    ['GATEWAY_URL_ASB', { NEW: 'https://asb.example/v1' }],
  ])('not when its address is that of %s', (other, more) => {
    expect(problems({ NEW: ofX }, more)).toEqual([
      `GATEWAY_SIGNING_SECRETS_NEW needs an address that is this application's alone, and GATEWAY_URL_NEW says the same as ${other}`,
    ]);
  });

  it('says all that is wrong at once', () => {
    expect(problems({ NEW: 'x', ASB: 'y' })).toHaveLength(3);
  });
});
