import { expect, it } from '@jest/globals';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { CompiledDto } from './compiled-dto.ts';
import { RefuseUnknownFields } from './refuse-unknown-fields.decorator.ts';

class Item {
  @IsString()
  @MaxLength(3)
  code!: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  count?: number;
}

class Order {
  @IsIn([15, 6])
  phase!: number;

  @ValidateIf(({ phase }: Order) => phase === 6)
  @IsInt()
  weight?: number;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items?: Item[];

  @IsOptional()
  @IsString({ each: true })
  tags?: string[];
}

@RefuseUnknownFields()
class Strict {
  @IsString()
  reason!: string;
}

class Special {
  @Transform(({ value }) => String(value).trim())
  @IsString()
  name!: string;
}

const anything = fc.oneof(
  fc.constantFrom(undefined, null, 15, 6, 1.5, -1, '', 'abc', 'abcd', true, [], {}),
  fc.array(fc.constantFrom('a', 1, null), { maxLength: 2 }),
);
const item = fc.record({ code: anything, count: anything, other: anything }, { requiredKeys: [] });
const order = fc.record(
  {
    phase: fc.oneof(fc.constantFrom(15, 6), anything),
    weight: anything,
    items: fc.oneof(anything, fc.array(fc.oneof(item, anything), { maxLength: 3 }), item),
    tags: anything,
    unknown: anything,
  },
  { requiredKeys: [] },
);

it('accepts exactly what class-validator accepts, and makes the same DTO of it', () => {
  let accepted = 0;
  fc.assert(
    fc.property(order, (given) => {
      const made = plainToInstance(Order, given, { exposeUnsetFields: false });
      const isValid = validateSync(made, { whitelist: true, forbidUnknownValues: false }).length === 0;
      const dto = CompiledDto.of(Order)?.accept(given);
      // A single object where an array is asked for: the compiled way leaves it to the other one.
      if (dto === undefined) return !isValid || (given.items !== null && given.items !== undefined);
      accepted += 1;
      expect(isValid).toBe(true);
      expect(dto).toEqual(made);
      expect(dto).toBeInstanceOf(Order);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

it('makes DTOs of nested objects and leaves out what they do not know', () => {
  const dto = CompiledDto.of(Order)?.accept({ phase: 15, items: [{ code: 'A', extra: 1 }], extra: 2 });

  expect(dto).toEqual({ phase: 15, items: [{ code: 'A' }] });
  expect((dto as Order).items?.[0]).toBeInstanceOf(Item);
});

it('does not accept unknown fields where they are refused', () => {
  expect(CompiledDto.of(Strict)?.accept({ reason: 'x' })).toEqual({ reason: 'x' });
  expect(CompiledDto.of(Strict)?.accept({ reason: 'x', raeson: 'y' })).toBeUndefined();
});

it('leaves a DTO with transformations to class-transformer', () => {
  expect(CompiledDto.of(Special)).toBeUndefined();
});
