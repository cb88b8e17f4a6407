import { isTaxId } from '@malote/brazil';
import { FISCAL_KINDS, type FiscalKind, NumberRangeEntity } from '@malote/numbering';
import { IsRowId, IsText, MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';

const LARGEST_NUMBER = 999_999_999_999_999;

@RefuseUnknownFields()
export class NewNumberRangeDto {
  @ApiProperty({
    type: String,
    description: 'CNPJ or CPF, with or without its mask',
    example: '12345678000195',
  })
  @ValidateBy({
    name: 'isTaxId',
    validator: {
      validate: (value) => typeof value === 'string' && isTaxId(value),
      defaultMessage: () => 'issuer must be a CNPJ or a CPF with right check digits',
    },
  })
  issuer!: string;

  @IsIn(FISCAL_KINDS)
  kind!: FiscalKind;

  /** As in the document, without leading zeros. */
  @Matches(/^[0-9A-Z]{1,5}$/)
  series!: string;

  /** The last number that was used elsewhere; the range goes on after it. */
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(LARGEST_NUMBER)
  lastNumber?: number;
}

@RefuseUnknownFields()
export class RangeChangeDto {
  @IsText(10, 500)
  reason!: string;
}

export class NumberRangePath {
  @IsRowId()
  id!: string;
}

export class NumberRangeDto {
  @ApiProperty({ type: String }) id!: string;
  @ApiProperty({ type: String, example: '12345678000195' }) issuer!: string;
  @ApiProperty({ enum: FISCAL_KINDS }) kind!: FiscalKind;
  @ApiProperty({ type: String }) series!: string;
  @ApiProperty({ type: Number }) lastNumber!: number;
  @ApiProperty({ type: Boolean }) isBlocked!: boolean;
  @ApiProperty({ type: String, nullable: true }) blockReason!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time' }) updatedAt!: Date;
}

export class NumberRangeListDto {
  @ApiProperty({ type: [NumberRangeDto] }) items!: NumberRangeDto[];
}

export function toNumberRangeDto(range: NumberRangeEntity): NumberRangeDto {
  const { id, issuer, kind, series, lastNumber, isBlocked, blockReason, createdAt, updatedAt } = range;
  return {
    id,
    issuer,
    kind,
    series,
    // The longest has fifteen digits, which a number holds exactly.
    lastNumber: Number(lastNumber),
    isBlocked,
    blockReason,
    createdAt,
    updatedAt,
  };
}
