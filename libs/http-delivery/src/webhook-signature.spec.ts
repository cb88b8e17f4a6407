import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WebhookSigner, WebhookVerifier } from './webhook-signature.ts';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const own = secret();
const now = new Date('2026-07-01T12:00:00.900Z');
const seconds = Math.floor(now.getTime() / 1000);
const body = '{"businessDocId":"01-0107","note":"São João"}';

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

function signed(secrets: readonly string[] = [own], at = now): Signed {
  const headers = new WebhookSigner(secrets).signedHeaders('m-1', body, at);
  return {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  };
}

function isValid(changes: Partial<Record<keyof Signed, string | undefined>> = {}, secrets = [own]): boolean {
  const { id, timestamp, signature } = { ...signed(), ...changes };
  return new WebhookVerifier(secrets).verify(id, timestamp, signature, Buffer.from(body), now);
}

describe('a verifier', () => {
  it('takes what the signer signed, as bytes or as text', () => {
    const { id, timestamp, signature } = signed();
    const verifier = new WebhookVerifier([own]);

    expect(verifier.verify(id, timestamp, signature, Buffer.from(body), now)).toBe(true);
    expect(verifier.verify(id, timestamp, signature, body, now)).toBe(true);
  });

  it('takes what another implementation signed', () => {
    expect(isValid({ signature: new Webhook(own).sign('m-1', now, body) })).toBe(true);
  });

  it('takes either of two secrets while they rotate, on both sides', () => {
    const next = secret();

    expect(isValid({}, [next, own])).toBe(true);
    expect(isValid(signed([next, own]))).toBe(true);
    expect(isValid(signed([next]))).toBe(false);
  });

  it.each(['id', 'timestamp', 'signature'] as const)('refuses one without %s', (name) => {
    expect(isValid({ [name]: undefined })).toBe(false);
    expect(isValid({ [name]: '' })).toBe(false);
  });

  it('refuses another id, another time, another body', () => {
    const { id, timestamp, signature } = signed();

    expect(isValid({ id: 'm-2' })).toBe(false);
    expect(isValid({ timestamp: String(seconds + 1) })).toBe(false);
    expect(new WebhookVerifier([own]).verify(id, timestamp, signature, `${body} `, now)).toBe(false);
  });

  it.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('judges a signature %i seconds away from now: %s', (offset, expected) => {
    expect(isValid(signed([own], new Date(now.getTime() + offset * 1000)))).toBe(expected);
  });

  it.each(['1e9', '-1', ' ', 'NaN', '0x10', '9'.repeat(30)])('refuses "%s" as a time', (timestamp) => {
    expect(isValid({ timestamp })).toBe(false);
  });

  it('counts only signatures of version 1, wherever they stand', () => {
    const { signature } = signed();

    expect(isValid({ signature: `v1a,AAAA v1,AAAA ${signature}` })).toBe(true);
    expect(isValid({ signature: signature.replace('v1,', 'v2,') })).toBe(false);
    expect(isValid({ signature: signature.slice('v1,'.length) })).toBe(false);
    expect(isValid({ signature: `${signature}, v1,` })).toBe(false);
  });

  it('believes nobody when it has no secret', () => {
    expect(isValid({}, [])).toBe(false);
  });
});

describe('a signer', () => {
  it('does not pass an unsigned message off as signed', () => {
    expect(() => new WebhookSigner([])).toThrow('at least one secret');
  });
});

describe('a secret', () => {
  it('is the same with and without its prefix', () => {
    const bare = own.slice('whsec_'.length);

    expect(signed([bare])).toEqual(signed([own]));
    expect(isValid({}, [bare])).toBe(true);
  });

  it.each([
    ['too short', `whsec_${randomBytes(23).toString('base64')}`],
    ['too long', randomBytes(65).toString('base64')],
    ['no base64', 'this is a pass phrase of some length, not a key'],
    ['empty', ''],
  ])('is refused when it is %s', (_, text) => {
    expect(() => new WebhookSigner([text])).toThrow('24 to 64 bytes');
    expect(() => new WebhookVerifier([text])).toThrow('24 to 64 bytes');
  });
});
