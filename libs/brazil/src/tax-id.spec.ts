import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTaxId, isCnpj, isCpf, isTaxId, normaliseTaxId } from './tax-id.ts';

it.each([
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12.abc.345/01de-35', '12ABC34501DE35'],
  ['12abc34501de35', '12ABC34501DE35'],
  ['00.000.000/0001-91', '00000000000191'],
  ['12345678000195', '12345678000195'],
  ['12.345.678/0001-95', '12345678000195'],
])('%s is a CNPJ', (text, id) => {
  expect([isCnpj(text), isCpf(text), normaliseTaxId(text)]).toEqual([true, false, id]);
});

it.each(['529.982.247-25', '52998224725'])('%s is a CPF', (text) => {
  expect([isCpf(text), isCnpj(text), normaliseTaxId(text)]).toEqual([true, false, '52998224725']);
});

it.each([
  '12.ABC.345/01DE-36',
  '12345678000190',
  '529.982.247-26',
  '52998224724',
  '00000000000000',
  '11111111111',
  '111.111.111-11',
  '12.345.678/000195',
  '12345678/0001-95',
  '529982247-25',
  ' 52998224725',
  '52998224725\n',
  '12ABC34501DE3A',
  '12.ABÇ.345/01DE-35',
  '５２９９８２２４７２５',
  '1234567800019',
  '',
])('%j is no tax id', (text) => {
  expect([isTaxId(text), normaliseTaxId(text), formatTaxId(text)]).toEqual([false, undefined, undefined]);
});

const DIGITS = Array.from('0123456789');
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const textOf = (characters: string[], length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const alphanumerics = textOf([...DIGITS, ...LETTERS], 12);
const isVaried = (base: string) => new Set(base).size > 1;
const base = fc.oneof(textOf(DIGITS, 9), textOf(DIGITS, 12), alphanumerics).filter(isVaried);

const CHECK_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const validEndings = (start: string) => CHECK_DIGITS.filter((ending) => isTaxId(start + ending));
const taxId = base.map((start) => start + (validEndings(start)[0] ?? ''));

it('lets exactly one pair of check digits follow any beginning', () => {
  fc.assert(
    fc.property(base, (start) => {
      expect(validEndings(start)).toHaveLength(1);
    }),
  );
});

it('reads back what it formats, in either case', () => {
  fc.assert(
    fc.property(taxId, (id) => {
      const masked = formatTaxId(id) ?? '';
      expect(masked).toMatch(id.length === 11 ? /^.{3}\..{3}\..{3}-..$/ : /^..\..{3}\..{3}\/.{4}-..$/);
      for (const text of [id, masked, id.toLowerCase(), masked.toLowerCase()]) {
        expect([normaliseTaxId(text), formatTaxId(text)]).toEqual([id, masked]);
      }
    }),
  );
});

it('tells the two kinds apart', () => {
  fc.assert(
    fc.property(taxId, (id) => {
      expect([isCpf(id), isCnpj(id)]).toEqual([id.length === 11, id.length === 14]);
    }),
  );
});

it('agrees with the calculation of the tax office, written out', () => {
  fc.assert(
    fc.property(alphanumerics.filter(isVaried), (start) => {
      const digit = (text: string, weights: readonly number[]) => {
        const sum = weights.reduce((total, weight, i) => total + (text.charCodeAt(i) - 48) * weight, 0);
        return sum % 11 < 2 ? 0 : 11 - (sum % 11);
      };
      const first = digit(start, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
      const second = digit(`${start}${first}`, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
      expect(isCnpj(`${start}${first}${second}`)).toBe(true);
    }),
  );
});
