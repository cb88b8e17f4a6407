import { LANE_DEFAULTS, LaneStore } from '@malote/lanes';
import { type Figure } from '../figure.ts';
import { lane, type LaneFile } from './lane-file.ts';
import { sizeContest, timeAndUndo } from './with-history.ts';

const SETTLED = 1_000_000;
const PARKED = 100_000;
const CLAIMS = 150;
const ROUNDS = 100;
const KEYS = 1_000;
const SLICE = 500;
/** Of each state, as many as metrics count at most. */
const COUNTED = 10_000;
const targets = ['http://127.0.0.1:9/acks'];
const small = { targets, payloadBytes: 100 } as const;

/** A claim with a million delivered rows behind it. */
export function claimWithHistory(): Promise<Figure> {
  const { batch, leaseMs } = LANE_DEFAULTS;
  return sizeContest({
    name: 'claim-with-history',
    aim: '<=1.2',
    rounds: CLAIMS,
    extra: { settled: SETTLED },
    fillLarge: (file) => {
      file.insert({ ...small, count: SETTLED, state: 'settled' });
    },
    fillBoth: (file) => {
      file.insert({ count: (CLAIMS + 10) * batch, state: 'due', targets, payloadBytes: 1024 });
    },
    measureMs: async (file, round) => {
      const began = performance.now();
      const claim = { targets, owner: `bench#${round}`, limit: batch, leaseMs };
      const claimed = await file.uow.run((tx) => storeOf(file).claim(tx, claim));
      const ms = performance.now() - began;
      if (claimed.length !== batch) throw new Error(`A claim of ${batch} rows got ${claimed.length}`);
      return ms;
    },
  });
}

/** The next rows of a hundred keys become due, with a million delivered rows and a hundred parked ones of each key. */
export function promoteWithHistory(): Promise<Figure> {
  const keys = Array.from({ length: 100 }, (_, n) => `key-${n}`);
  return sizeContest({
    name: 'promote-with-history',
    aim: '<=1.5',
    rounds: ROUNDS,
    extra: { settled: SETTLED, parked: PARKED, keys: keys.length },
    fillLarge: (file) => {
      file.insert({ ...small, count: SETTLED, state: 'settled', orderKeys: KEYS });
      file.insert({ ...small, count: PARKED, state: 'parked', orderKeys: KEYS });
    },
    fillBoth: (file) => {
      file.insert({ ...small, count: keys.length, state: 'parked', orderKeys: keys.length });
    },
    measureMs: (file) => timeAndUndo(file.uow, (tx) => storeOf(file).promote(tx, keys)),
  });
}

/** One slice of the sweep, with two hundred slices of rows that wait for others, beside one slice in all. */
export function adoptWithParked(): Promise<Figure> {
  return sizeContest({
    name: 'adopt-with-parked',
    aim: '<=1.5',
    rounds: ROUNDS,
    extra: { settled: SETTLED, parked: PARKED, slice: SLICE },
    fillLarge: (file) => {
      file.insert({ ...small, count: SETTLED, state: 'settled', orderKeys: KEYS });
      fillWaiting(file, PARKED - SLICE);
    },
    fillBoth: (file) => {
      fillWaiting(file, SLICE);
    },
    measureMs: async (file, round, isLarge) => {
      const after = isLarge ? SETTLED + round * ((PARKED - 2 * SLICE) / (ROUNDS + 10)) : 0;
      const began = performance.now();
      const { adopted, next } = await storeOf(file).adopt(String(after));
      const ms = performance.now() - began;
      if (adopted > 0 || next === null)
        throw new Error('The slice was not full of rows that wait for others');
      return ms;
    },
  });
}

/** What metrics count, with a million delivered rows in the table and a hundred thousand parked ones, of which it counts some. */
export function depthWithHistory(): Promise<Figure> {
  return sizeContest({
    name: 'depth-with-history',
    aim: '<=1.5',
    rounds: ROUNDS,
    extra: { settled: SETTLED, parked: PARKED },
    fillLarge: (file) => {
      file.insert({ ...small, count: SETTLED, state: 'settled' });
      file.insert({ ...small, count: PARKED - COUNTED, state: 'parked' });
    },
    fillBoth: (file) => {
      for (const state of ['later', 'parked'] as const) file.insert({ ...small, count: COUNTED, state });
    },
    measureMs: async (file) => {
      const began = performance.now();
      const depths = await storeOf(file).depth();
      const ms = performance.now() - began;
      const counted = depths.reduce((sum, { count }) => sum + count, 0);
      if (counted !== 2 * COUNTED)
        throw new Error(`${counted} unfinished rows were counted, of each state ${COUNTED}`);
      return ms;
    },
  });
}

/** Rows that rightly wait: each key begins with one whose time has not come. */
function fillWaiting(file: LaneFile, parked: number): void {
  file.insert({ ...small, count: KEYS, state: 'later', orderKeys: KEYS });
  file.insert({ ...small, count: parked, state: 'parked', orderKeys: KEYS });
}

function storeOf(file: LaneFile): LaneStore {
  return new LaneStore(lane, file.uow);
}
