import { describe, expect, it } from '@jest/globals';
import { AddressGuard, isPrivateAddress } from './address-guard.ts';

describe('the address guard', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ])('knows %s for private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '200.155.86.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'lets %s through',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/',
    'ftp://example.com/',
    'http://user:pw@example.com/',
  ])('refuses %s', (address) => {
    expect(() => {
      new AddressGuard([]).check(new URL(address));
    }).toThrow();
  });

  it('judges a name by what it resolves to, unless the name is allowed', async () => {
    const lookup = (guard: AddressGuard) =>
      new Promise<Error | null>((resolve) => {
        guard.lookup('localhost', {}, (error) => {
          resolve(error);
        });
      });
    expect(await lookup(new AddressGuard([]))).toMatchObject({ name: 'ForbiddenAddress' });
    expect(await lookup(new AddressGuard(['LOCALHOST']))).toBeNull();
  });
});
