import { expect, it } from '@jest/globals';
import bcrypt from 'bcrypt';
import { testConfig } from '../testing/test-config.ts';
import { PasswordHashing } from './password-hashing.ts';

const hashing = new PasswordHashing(testConfig());

it('knows the password again, and no other', async () => {
  const hash = await hashing.hash('pinguim lavou violinos');
  expect(hash).toMatch(/^\$2b\$04\$/);
  expect(await hashing.matches('pinguim lavou violinos', hash)).toBe(true);
  expect(await hashing.matches('pinguim lavou violino', hash)).toBe(false);
});

it('takes hashes that others made with bcrypt', async () => {
  expect(await hashing.matches('pinguim', await bcrypt.hash('pinguim', 4))).toBe(true);
});

it('looks at every character of a long password', async () => {
  const long = 'a'.repeat(100);
  const hash = await hashing.hash(long);
  expect(await hashing.matches(long, hash)).toBe(true);
  expect(await hashing.matches(`${long}b`, hash)).toBe(false);
  expect(await hashing.matches('a'.repeat(72), hash)).toBe(false);
  const exact = await hashing.hash('a'.repeat(72));
  expect(await hashing.matches('a'.repeat(73), exact)).toBe(false);
});

it('counts bytes, not characters, and looks at the last of them too', async () => {
  const hash = await hashing.hash('ã'.repeat(40));
  expect(await hashing.matches('ã'.repeat(39) + 'õ', hash)).toBe(false);
});

it('takes the same letters for the same, however they are composed', async () => {
  const hash = await hashing.hash('coração de açúcar'.normalize('NFC'));
  expect(await hashing.matches('coração de açúcar'.normalize('NFD'), hash)).toBe(true);
});

it('is not fooled by what ends a text for bcrypt', async () => {
  const hash = await hashing.hash('pinguim');
  expect(await hashing.matches('pinguim\0', hash)).toBe(false);
  expect(await hashing.matches('pinguim\0qualquer', hash)).toBe(false);
});

it('matches nothing where there is no hash', async () => {
  expect(await hashing.matches('', null)).toBe(false);
  expect(await hashing.matches('pinguim', null)).toBe(false);
});

it('finds hashes that were made too cheaply', async () => {
  const dearer = new PasswordHashing(testConfig({ BCRYPT_COST: '5' }));
  const hash = await hashing.hash('pinguim');
  expect(dearer.isOutdated(hash)).toBe(true);
  expect(hashing.isOutdated(hash)).toBe(false);
  expect(hashing.isOutdated(await dearer.hash('pinguim'))).toBe(false);
});
