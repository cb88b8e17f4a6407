import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Min,
  ValidateNested,
} from 'class-validator';
import { RefuseUnknownFields } from '../http/refuse-unknown-fields.decorator.ts';

export class AddressDto {
  @IsString()
  @Length(8, 8)
  zipCode!: string;
}

export class OrderDto {
  @IsString()
  number!: string;

  @IsInt()
  @Min(1)
  quantity!: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => AddressDto)
  addresses!: AddressDto[];
}

@RefuseUnknownFields()
export class CancelDto {
  @IsString()
  reason!: string;
}

export class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  limit?: number;
}
