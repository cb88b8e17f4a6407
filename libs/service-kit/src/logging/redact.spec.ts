import { describe, expect, it } from '@jest/globals';
import { redact } from './redact.ts';
import { scrubText } from './scrub-text.ts';

describe('free text in the log', () => {
  it.each([
    ['CPF 529.982.247-25 refused', 'CPF [cpf] refused'],
    ['cpf=52998224725;', 'cpf=[cpf];'],
    ['CNPJ 12.345.678/0001-95', 'CNPJ [cnpj]'],
    ['CNPJ 12345678000195', 'CNPJ [cnpj]'],
    ['CNPJ 12.ABC.345/01DE-35', 'CNPJ [cnpj]'],
    ['call +55 11 98765-4321 now', 'call [phone] now'],
    ['call (11) 98765-4321', 'call [phone]'],
    ['wa_id 5511987654321', 'wa_id [phone]'],
    ['to +5511987654321', 'to [phone]'],
    ['maria.silva+nf@example.com.br wrote', '[e-mail] wrote'],
    ['Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'Bearer [token]'],
    ['-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY----- left', '[pem] left'],
    ['-----BEGIN CERTIFICATE-----\nMIIabc', '[pem]'],
  ])('%j becomes %j', (text, expected) => {
    expect(scrubText(text)).toBe(expected);
  });

  it.each([
    'ticket 019a9557-1234-7abc-8def-123456789012 stored',
    'chave 35261112345678000195550010000000011000000010 authorised',
    '2026-11-18T08:42:56.244Z',
    '192.168.100.101:3002 answered in 12.5 ms',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'attempt 3 of 5, next in 1280 ms',
  ])('%j stays', (text) => {
    expect(scrubText(text)).toBe(text);
  });
});

describe('fields in the log', () => {
  it('drops secrets and payloads by name, however deep', () => {
    const fields = {
      headers: { Authorization: 'Bearer abc', 'set-cookie': ['a=b'], 'x-request-id': 'r-1' },
      user: { password: 'p', refreshToken: 't', apiKey: 'k', name: 'ok' },
      list: [{ clientSecret: 's' }],
      payload: { anything: true },
      tokens: 3,
    };

    expect(redact(fields)).toEqual({
      headers: { Authorization: '[redacted]', 'set-cookie': '[redacted]', 'x-request-id': 'r-1' },
      user: { password: '[redacted]', refreshToken: '[redacted]', apiKey: '[redacted]', name: 'ok' },
      list: [{ clientSecret: '[redacted]' }],
      payload: '[omitted]',
      tokens: '[redacted]',
    });
  });

  it('keeps of an error what says where it happened, and nothing its driver hung on it', () => {
    const cause = Object.assign(new Error('duplicate key (52998224725)'), {
      code: 'EREQUEST',
      parameters: ['52998224725'],
    });
    const text = JSON.stringify(redact({ err: new Error('insert failed', { cause }) }));

    expect(text).toContain('insert failed');
    expect(text).toContain('EREQUEST');
    expect(text).not.toContain('52998224725');
    expect(text).not.toContain('parameters');
  });

  it('ends on cycles, bytes and big numbers', () => {
    const cycle: Record<string, unknown> = { bytes: Buffer.alloc(3), big: 1n, many: Array(99).fill(0) };
    cycle.self = cycle;

    expect(JSON.stringify(redact(cycle)).length).toBeLessThan(3000);
    expect(redact({ bytes: Buffer.alloc(3), big: 1n })).toEqual({ bytes: '[3 bytes]', big: '1' });
  });
});
