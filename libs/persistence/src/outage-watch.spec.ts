import { beforeEach, expect, it } from '@jest/globals';
import { OutageWatch } from './outage-watch.ts';

let now: number;
let told: unknown[];
let watch: OutageWatch;

beforeEach(() => {
  now = 0;
  told = [];
  watch = new OutageWatch(() => now);
  watch.listen({
    began: (error) => told.push(error),
    ended: (seconds) => told.push(`${seconds} s`),
  });
});

it('says nothing as long as all is well', () => {
  watch.succeeded();
  expect(told).toEqual([]);
});

it('tells the first of many failures, and how long they lasted', () => {
  for (const second of [0, 1, 2, 3]) {
    now = second * 1000;
    watch.failed(`failure ${second}`);
  }
  now = 10_000;
  watch.succeeded();
  watch.succeeded();
  expect(told).toEqual(['failure 0', '3 s']);
});

it('is not over because one gets through between failures', () => {
  watch.failed('first');
  for (now = 100; now <= 5_000; now += 100) {
    if (now % 500 === 0) watch.failed('more');
    else watch.succeeded();
  }
  expect(told).toEqual(['first']);
  now = 6_100;
  watch.succeeded();
  expect(told).toEqual(['first', '5 s']);
});

it('tells the next one as well', () => {
  watch.failed('first');
  now = 2_000;
  watch.succeeded();
  watch.failed('second');
  expect(told).toEqual(['first', '0 s', 'second']);
});
