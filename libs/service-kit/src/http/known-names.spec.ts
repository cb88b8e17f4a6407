import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { KnownNames } from './known-names.ts';

class Address {
  @IsString()
  zipCode!: string;
}

class Party {
  @IsString()
  businessDocId!: string;

  @ValidateNested({ each: true })
  @Type(() => Address)
  addresses!: Address[];
}

const names = KnownNames.of(Party);

it('finds names whatever their case, nested ones too, and keeps those it does not know', () => {
  const given = { BusinessDocID: 'A', ADDRESSES: [{ ZIPCODE: '1', Extra: 2 }, null], Other: 3 };

  expect(names.rename(given)).toEqual({
    businessDocId: 'A',
    addresses: [{ zipCode: '1', Extra: 2 }, null],
    Other: 3,
  });
});

it('refuses a name that comes twice, and points at the second one', () => {
  expect(() => names.rename({ addresses: [{ zipCode: '1', ZipCode: '2' }] })).toThrow(
    expect.objectContaining({
      kind: 'invalid',
      fields: [expect.objectContaining({ pointer: '/addresses/0/ZipCode', code: 'duplicate-key' })],
    }),
  );
});
