import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkTable } from './check-table.ts';
import { can, eventsOf, isFinal, next, type TransitionTable } from './transition-table.ts';

describe('checkTable', () => {
  it('finds nothing wrong with a lane that retries and ends', () => {
    const lane = {
      Pending: { claim: 'Sending' },
      Sending: { deliver: 'Sent', fail: 'Error', release: 'Pending' },
      Error: { claim: 'Sending', replay: 'Pending' },
      Sent: {},
    } as const satisfies TransitionTable;

    expect(checkTable(lane, { initial: ['Pending'] })).toEqual([]);
  });

  it('reports a target nobody declared', () => {
    const table = { Open: { close: 'Closed', lose: 'Lsot' }, Closed: {} } as const;
    expect(checkTable(table, { initial: ['Open'] })).toEqual([
      { problem: 'undeclared-target', state: 'Open', event: 'lose', target: 'Lsot' },
    ]);
  });

  it('reports a state no initial state leads to', () => {
    const table = { Open: { close: 'Closed' }, Forgotten: { close: 'Closed' }, Closed: {} } as const;
    expect(checkTable(table, { initial: ['Open'] })).toEqual([
      { problem: 'unreachable', state: 'Forgotten' },
    ]);
    expect(checkTable(table, { initial: ['Open', 'Forgotten'] })).toEqual([]);
  });

  it('reports a loop nothing ever leaves', () => {
    const table = {
      Open: { close: 'Closed', stray: 'Ping' },
      Ping: { hit: 'Pong' },
      Pong: { hit: 'Ping' },
      Closed: {},
    } as const;
    expect(checkTable(table, { initial: ['Open'] })).toEqual([
      { problem: 'never-ends', state: 'Ping' },
      { problem: 'never-ends', state: 'Pong' },
    ]);
  });

  it('does not take an undeclared target for a way out', () => {
    const table = { Open: { close: 'Closd' } } as const;
    expect(checkTable(table, { initial: ['Open'] }).map(({ problem }) => problem)).toEqual([
      'undeclared-target',
      'never-ends',
    ]);
  });

  it('refuses an initial state the table does not have', () => {
    // @ts-expect-error no state of this table
    expect(checkTable({ Open: {} }, { initial: ['Opn'] })).toEqual([
      { problem: 'unreachable', state: 'Open' },
    ]);
  });
});

describe('any walk through any table', () => {
  const names = ['A', 'B', 'C', 'D'] as const;
  const anyTable: fc.Arbitrary<TransitionTable> = fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(...names, 'Undeclared'), { maxKeys: 2 }),
      ]),
    ),
  );
  const anySteps = fc.array(fc.nat(), { maxLength: 20 });

  function walk(table: TransitionTable, steps: readonly number[]): string[] {
    const visited = ['A'];
    for (const step of steps) {
      const state = visited.at(-1) ?? 'A';
      const legal = eventsOf(table).filter((event) => can(table, state, event));
      const event = legal[step % Math.max(legal.length, 1)];
      if (event === undefined) break;
      visited.push(next(table, state, event));
    }
    return visited;
  }

  it('agrees with the problems reported: what it visits is reachable, what it finishes from can end', () => {
    fc.assert(
      fc.property(anyTable, anySteps, (table, steps) => {
        const visited = walk(table, steps);
        const problems = checkTable(table, { initial: ['A'] });
        const reported = (kind: string) =>
          problems.filter(({ problem }) => problem === kind).map(({ state }) => state);

        expect(reported('unreachable').filter((state) => visited.includes(state))).toEqual([]);
        if (visited.includes('Undeclared')) expect(reported('undeclared-target')).not.toEqual([]);
        if (isFinal(table, visited.at(-1) ?? 'A')) {
          expect(reported('never-ends').filter((state) => visited.includes(state))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
