import { COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { FitsVarchar, IgnoreNameCase, IsKey, PageQuery, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, MinLength } from 'class-validator';
import { type CounterpartyFilters } from './counterparty.ts';

/** Unknown names are refused: a filter that is misspelt, or a `page` we do not count by, would give a wrong list in silence. */
@IgnoreNameCase()
@RefuseUnknownFields()
export class CounterpartyQuery extends PageQuery {
  @IsKey(COUNTERPARTY_LENGTHS.businessEntity)
  @ApiProperty({ description: 'Whose counterparties', example: 'TCK' })
  businessEntity!: string;

  @IsOptional()
  @IsKey(COUNTERPARTY_LENGTHS.businessDocId)
  @ApiPropertyOptional({
    description: 'Asks for this document, whatever the filters; without it, for a list',
  })
  businessDocID?: string;

  @IsOptional()
  @IsIn(['true', 'false'])
  isDeleted?: 'true' | 'false';

  @IsOptional()
  @MinLength(1)
  @FitsVarchar(COUNTERPARTY_LENGTHS.entityType)
  entityType?: string;

  @IsOptional()
  @MinLength(1)
  @FitsVarchar(COUNTERPARTY_LENGTHS.counterpartyId)
  counterpartyId?: string;

  @IsOptional()
  @MinLength(1)
  @FitsVarchar(FISCAL_REFERENCE_LENGTHS.fiscalNumber)
  @ApiPropertyOptional({
    description: 'A CNPJ or CPF is found masked and unmasked, whichever way it is given',
  })
  fiscalNumber?: string;
}

export function toFilters(query: CounterpartyQuery): CounterpartyFilters {
  const { businessEntity, isDeleted, entityType, counterpartyId, fiscalNumber } = query;
  return {
    businessEntity,
    isDeleted: isDeleted === undefined ? undefined : isDeleted === 'true',
    entityType,
    counterpartyId,
    fiscalNumber,
  };
}
