import { describe, expect, it } from '@jest/globals';
import { classify } from './classify.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const answer = (status: number, retryAfter?: string) =>
  classify({ kind: 'response', status, retryAfter }, NOW);

describe('an answered request', () => {
  it.each([200, 201, 202, 204])('is done when the target says %i', (status) => {
    expect(answer(status)).toEqual({ kind: 'delivered' });
  });

  it('was done before when the target reports a conflict', () => {
    expect(answer(409)).toEqual({ kind: 'delivered', alreadyProcessed: true });
  });

  it.each([400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 451])(
    'ends with %i and a reason of its own, because the same message would be refused again',
    (status) => {
      const outcome = answer(status, '120');
      expect(outcome).toMatchObject({ final: true, blame: 'message', processed: 'no', answered: true });
      expect(outcome).toHaveProperty('reason', expect.stringMatching(`^HTTP ${status}: (?!refused$)`));
    },
  );

  it.each([301, 302, 303, 304, 307, 308])('ends with %i: no redirect is followed', (status) => {
    expect(answer(status)).toMatchObject({
      final: true,
      reason: `HTTP ${status}: redirects are not followed`,
      processed: 'maybe',
    });
  });

  it.each([
    [408, 'either'],
    [425, 'either'],
    [429, 'target'],
  ])('is retried after %i, which refuses before any work is done', (status, blame) => {
    expect(answer(status, '7')).toEqual({
      kind: 'failed',
      blame,
      reason: expect.stringContaining(`HTTP ${status}`),
      final: false,
      processed: 'no',
      answered: true,
      retryAfterMs: 7_000,
    });
  });

  it.each([
    [500, 'either'],
    [501, 'target'],
    [502, 'target'],
    [503, 'target'],
    [504, 'target'],
    [505, 'target'],
    [507, 'either'],
    [599, 'either'],
  ])('is retried after %i, though the work may have been done', (status, blame) => {
    const outcome = answer(status, '7');
    expect(outcome).toMatchObject({ final: false, blame, processed: 'maybe', retryAfterMs: 7_000 });
    expect(outcome).not.toHaveProperty('answered');
  });

  it.each([0, 99, 600, 999, Number.NaN])(
    'counts as a failure of the target when the status is %d',
    (status) => {
      expect(answer(status)).toMatchObject({ final: false, blame: 'either', processed: 'maybe' });
    },
  );

  it('is one thing only for every status there is, by the table of its hundred', () => {
    const expected = (status: number) => {
      if (status === 409 || (status >= 200 && status < 300)) return 'delivered';
      if ([408, 425, 429].includes(status) || status >= 500) return 'failed for now';
      return status < 200 ? 'unknown' : 'failed for good';
    };
    const found = (status: number) => {
      const outcome = answer(status);
      if (outcome.kind !== 'failed') return outcome.kind;
      return outcome.final ? 'failed for good' : 'failed for now';
    };
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
    expect(statuses.map(found)).toEqual(statuses.map(expected));
  });
});
