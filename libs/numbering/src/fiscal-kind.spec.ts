import { expect, it } from '@jest/globals';
import { type FiscalKind, isSeries } from './fiscal-kind.ts';

it.each<[FiscalKind, string]>([
  ['nfe', '0'],
  ['nfe', '1'],
  ['nfce', '999'],
  ['dps', '1'],
  ['dps', '49999'],
  ['rps', '1'],
  ['rps', 'NF'],
])('%s has the series %s', (kind, series) => {
  expect(isSeries(kind, series)).toBe(true);
});

it.each<[FiscalKind, string]>([
  ['nfe', ''],
  ['nfe', '001'],
  ['nfe', '1000'],
  ['nfe', 'A'],
  ['dps', '0'],
  ['dps', '00001'],
  ['dps', '100000'],
  ['rps', '01'],
  ['rps', 'nf'],
  ['rps', 'ABCDEF'],
])('%s has no series %j', (kind, series) => {
  expect(isSeries(kind, series)).toBe(false);
});
