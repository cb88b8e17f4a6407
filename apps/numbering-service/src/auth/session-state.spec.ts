import { expect, it } from '@jest/globals';
import { expiryOf, judgeGeneration, type SessionState } from './session-state.ts';

const ROTATED = new Date('2026-03-10T12:00:00.000Z');
const after = (ms: number) => new Date(ROTATED.getTime() + ms);
const session = (changes: Partial<SessionState> = {}): SessionState => ({
  generation: 7,
  rotatedAt: ROTATED,
  expiresAt: after(3_600_000),
  endedAt: null,
  isUserActive: true,
  ...changes,
});

it.each([
  ['the current token', 7, 0, 'current'],
  ['the current token after a long while', 7, 3_599_999, 'current'],
  ['the one before, at once', 6, 0, 'superseded-just-now'],
  ['the one before, within a minute', 6, 60_000, 'superseded-just-now'],
  ['the one before, later', 6, 60_001, 'reused'],
  ['an older one, at once', 5, 0, 'reused'],
  ['one from the future', 8, 0, 'reused'],
  ['the current token of a session that has expired', 7, 3_600_000, 'over'],
  ['an old token of a session that has expired', 5, 3_600_000, 'over'],
] as const)('takes %s for what it is', (_name, generation, ms, presented) => {
  expect(judgeGeneration(session(), generation, after(ms))).toBe(presented);
});

it('takes no token of a session that was ended, nor of a user who may not log in', () => {
  expect(judgeGeneration(session({ endedAt: ROTATED }), 7, after(1))).toBe('over');
  expect(judgeGeneration(session({ isUserActive: false }), 7, after(1))).toBe('over');
});

it('lets a session live as long as it is used, up to its absolute end', () => {
  const lifetime = { idleMs: 60_000, maxMs: 150_000 };
  expect(expiryOf(ROTATED, ROTATED, lifetime)).toEqual(after(60_000));
  expect(expiryOf(ROTATED, after(80_000), lifetime)).toEqual(after(140_000));
  expect(expiryOf(ROTATED, after(140_000), lifetime)).toEqual(after(150_000));
});
