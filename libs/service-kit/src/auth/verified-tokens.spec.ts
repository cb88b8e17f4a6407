import { expect, it } from '@jest/globals';
import { callerFromClaims } from './caller.ts';
import { VerifiedTokens } from './verified-tokens.ts';

function caller(expSeconds: number) {
  const made = callerFromClaims({ sub: 'partner-a', exp: expSeconds, scope: ['a', 'b', 7] });
  if (!made) throw new Error('No caller');
  return made;
}

it('remembers a token until it expires, and never longer than five minutes', () => {
  const tokens = new VerifiedTokens();
  tokens.add('short', caller(10), 0);
  tokens.add('long', caller(86_400), 0);

  expect(tokens.get('short', 9_999)?.scopes).toEqual(new Set(['a', 'b']));
  expect(tokens.get('short', 10_000)).toBeUndefined();
  expect(tokens.get('long', 299_999)).toBeDefined();
  expect(tokens.get('long', 300_000)).toBeUndefined();
  expect(tokens.size).toBe(0);
});

it('forgets the ones that were not used for longest', () => {
  const tokens = new VerifiedTokens();
  for (let i = 0; i < 5000; i++) tokens.add(`token-${i}`, caller(100), 0);
  tokens.get('token-0', 1);
  tokens.add('one more', caller(100), 1);

  expect(tokens.size).toBe(5000);
  expect(tokens.get('token-0', 1)).toBeDefined();
  expect(tokens.get('token-1', 1)).toBeUndefined();
});
