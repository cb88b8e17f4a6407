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
    ['CNPJ 12ABC34501DE35 of the buyer', 'CNPJ [cnpj] of the buyer'],
    ['cnpj 12345678000100, mistyped', 'cnpj [cnpj], mistyped'],
    ['call 11 98765 4321', 'call [phone]'],
    ['call +55 (11) 98765 4321', 'call [phone]'],
    [
      'connect mssql://sa:S3cret!@db:1433/REDEXV2 failed',
      'connect mssql://[credentials]@db:1433/REDEXV2 failed',
    ],
    ['mssql://sa:p@ss/w0rd@db.example.com/x', 'mssql://[credentials]@db.example.com/x'],
    ['GET https://key-1@api.example.com/v1', 'GET https://[credentials]@api.example.com/v1'],
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer [token]'],
    ['authorization: Basic YWRtaW46YWRtaW4= sent', 'authorization: Basic [token] sent'],
    ['{"Authorization":"abc","a":1}', '{"Authorization":"[token]","a":1}'],
    ['refused bearer AbCdEfGhIjKlMnOpQrStUv', 'refused bearer [token]'],
    ['signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'signed with [secret]'],
    [
      'Server=db;User Id=sa;Password=S3cret!;Encrypt=true',
      'Server=db;User Id=sa;Password=[redacted];Encrypt=true',
    ],
    ['/webhook?hub.verify_token=abc&x=1', '/webhook?hub.verify_token=[redacted]&x=1'],
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
    'batch 20261118084256 of series ABCDEFGHIJKL12',
    'GET http://db.internal:3002/tickets/7?at=12 answered',
    'sqlserver://db:1433/REDEXV2 and postgres://host/db?x=me',
    'a bearer token is missing; Bearer realm="malote"',
    'page=2&limit=50',
    'read 5368709120 bytes in 86400000 ms at 1763455376244',
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

  it.each<[string, unknown]>([
    ['cpf', 52998224725],
    ['cpf', 191],
    ['customer', 52998224725],
    ['phone2', 5511987654321],
    ['from', 5511987654321],
    ['wa_id', 5511987654321],
    ['contact', 11987654321],
    ['issuer', 12345678000195n],
    ['issuer', '12ABC34501DE35'],
    ['tomadorCnpj', 'a'],
    ['telefoneFixo', '3456 7890'],
    ['celular', 987654321],
    ['senhaAtual', 'x'],
    ['accessTokenValue', 'x'],
    ['pfxBase64', 'x'],
    ['authorizationHeader', 'x'],
    ['signingSecrets', ['x']],
    ['sessionCookieRaw', { a: 'x' }],
  ])('does not write the value of { %s: %p }', (key, value) => {
    expect(redact({ [key]: value })).toEqual({ [key]: expect.stringMatching(/^\[[a-z]+\]$/) });
  });

  it('keeps ids, times, sizes and counts readable', () => {
    const fields = {
      ticketId: 12345678901,
      eventId: '019a9557-1234-7abc-8def-123456789012',
      snowflake: 1857912345678901248n.toString(),
      tokenId: 'at-17',
      certificateId: 42,
      certificateExpiresAt: '2027-01-01T00:00:00.000Z',
      phoneNumberId: 'pn-9',
      hasPassword: true,
      refreshToken: null,
      at: 1763455376244,
      epochSeconds: 1763455376,
      nowMicros: 1763455376244123,
      elapsedNs: 52998224725n,
      ms: 12.5,
      port: 3002,
      sizeBytes: 11987654321,
      rowCount: 52998224725,
      attempts: 3,
      negative: -52998224725,
      rate: 0.5,
      mapping: 'shipping',
      authorizationProtocol: '135260000000001',
    };

    expect(redact(fields)).toEqual({ ...fields, elapsedNs: '52998224725' });
  });

  it('asks objects for what they would write, and looks at that', () => {
    class Partner {
      toJSON() {
        return { name: 'ok', password: 'p', note: 'CPF 52998224725' };
      }
    }
    const fields = {
      own: { toJSON: () => ({ cpf: '52998224725' }) },
      partner: new Partner(),
      url: new URL('mssql://sa:S3cret!@db:1433/x'),
      when: new Date(0),
      never: new Date(NaN),
      broken: { toJSON: () => JSON.parse('{') as unknown },
    };

    expect(JSON.parse(JSON.stringify(redact(fields)))).toEqual({
      own: { cpf: '[redacted]' },
      partner: { name: 'ok', password: '[redacted]', note: 'CPF [cpf]' },
      url: 'mssql://[credentials]@db:1433/x',
      when: '1970-01-01T00:00:00.000Z',
      never: null,
      broken: '[unreadable]',
    });
  });

  it('writes the other fields when one cannot be read', () => {
    const fields = {
      id: 7,
      get row(): string {
        throw new Error('The entity is detached');
      },
      proxy: new Proxy({}, { ownKeys: () => JSON.parse('{') as never }),
    };

    expect(redact(fields)).toEqual({ id: 7, row: '[unreadable]', proxy: '[unreadable]' });
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

  it('knows a time-out of fetch for an error', () => {
    expect(redact({ err: new DOMException('took too long', 'TimeoutError') })).toMatchObject({
      err: { type: 'TimeoutError', message: 'took too long' },
    });
  });

  it('ends on cycles, bytes and big numbers', () => {
    const cycle: Record<string, unknown> = { bytes: Buffer.alloc(3), big: 1n, many: Array(99).fill(0) };
    cycle.self = cycle;

    expect(JSON.stringify(redact(cycle)).length).toBeLessThan(3000);
    expect(redact({ bytes: Buffer.alloc(3), big: 1n })).toEqual({ bytes: '[3 bytes]', big: '1' });
  });
});
