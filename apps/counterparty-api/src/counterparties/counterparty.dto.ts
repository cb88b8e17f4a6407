import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { FitsVarchar, IgnoreNameCase, IsKey } from '@malote/service-kit';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { HasOneMainAddress } from './address-rules.ts';
import { type Address, type Counterparty, type Texts } from './counterparty.ts';
import { HoldsTaxId, isTaxIdReference } from './fiscal-reference-rules.ts';

const MAX_ITEMS = 200;

/** Null and absent are the same. */
function OptionalText(length: number, description?: string): PropertyDecorator {
  return applyDecorators(IsOptional(), FitsVarchar(length), nullable(description));
}

function OptionalFlag(description?: string): PropertyDecorator {
  return applyDecorators(IsOptional(), IsBoolean(), nullable(description));
}

function ListOf(item: () => new () => object): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_ITEMS),
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    Type(item),
  );
}

function nullable(description?: string): PropertyDecorator {
  return ApiPropertyOptional({ nullable: true, ...(description !== undefined && { description }) });
}

export class AddressDto implements Texts<typeof ADDRESS_LENGTHS> {
  @OptionalText(ADDRESS_LENGTHS.addressTypeCode)
  addressTypeCode: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.addressTypeName, 'Such as PRINCIPAL or ENTREGA')
  addressTypeName: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.phone)
  phone: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.fax)
  fax: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.addrLine1, 'Street and number')
  addrLine1: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.addrLine2, 'What completes the street')
  addrLine2: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.cityCode, 'Such as the IBGE code of the city')
  cityCode: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.zipCode, 'CEP')
  zipCode: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.state)
  state: string | null = null;

  @OptionalText(ADDRESS_LENGTHS.district)
  district: string | null = null;

  @OptionalFlag('False when left out. One address at most, of those not deleted')
  isMainAddress: boolean | null = null;

  @OptionalFlag('False when left out')
  isDeleted: boolean | null = null;
}

export class FiscalReferenceDto implements Texts<typeof FISCAL_REFERENCE_LENGTHS> {
  @OptionalText(FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeCode, 'Such as BR1 (CNPJ/CPF) or BR3 (IE)')
  fiscalReferenceTypeCode: string | null = null;

  @OptionalText(FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeName)
  fiscalReferenceTypeName: string | null = null;

  @ValidateIf((dto: FiscalReferenceDto) => isTaxIdReference(dto) || (dto.fiscalNumber ?? null) !== null)
  @FitsVarchar(FISCAL_REFERENCE_LENGTHS.fiscalNumber)
  @HoldsTaxId()
  @ApiPropertyOptional({
    nullable: true,
    description:
      'With type BR1 a CNPJ (numeric or alphanumeric) or CPF with right check digits, masked or not; kept as sent',
  })
  fiscalNumber: string | null = null;
}

@IgnoreNameCase()
export class CounterpartyDto implements Texts<typeof COUNTERPARTY_LENGTHS> {
  @IsKey(COUNTERPARTY_LENGTHS.businessDocId)
  @ApiProperty({ description: 'Key of the document; `DOC-1` and `doc-1` are the same one' })
  businessDocId!: string;

  @OptionalText(COUNTERPARTY_LENGTHS.businessAppId, 'Application it comes from, such as CRN')
  businessAppId: string | null = null;

  @IsOptional()
  @IsKey(COUNTERPARTY_LENGTHS.businessEntity)
  @ApiPropertyOptional({
    nullable: true,
    description:
      'Such as TCK. Documents are asked for by it; one without it can be saved, but not found again',
  })
  businessEntity: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.originalBusinessDocId)
  originalBusinessDocId: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.counterpartyId, 'Id in the system it comes from')
  counterpartyId: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.entityType, '1 customer, 2 supplier, 5 carrier')
  entityType: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.name)
  name: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.localName)
  localName: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.searchName)
  searchName: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.referenceCode)
  referenceCode: string | null = null;

  @OptionalFlag('False when left out')
  isDeleted: boolean | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.source)
  source: string | null = null;

  @OptionalText(COUNTERPARTY_LENGTHS.status, 'Received when left out, also in a document that is sent again')
  status: string | null = null;

  @ListOf(() => AddressDto)
  @HasOneMainAddress()
  addresses: AddressDto[] | null = null;

  @ListOf(() => FiscalReferenceDto)
  fiscalReferences: FiscalReferenceDto[] | null = null;
}

export function toCounterparty(dto: CounterpartyDto): Counterparty {
  const texts: Texts<typeof COUNTERPARTY_LENGTHS> = dto;
  return {
    ...texts,
    businessDocId: dto.businessDocId,
    status: dto.status ?? 'Received',
    isDeleted: dto.isDeleted ?? false,
    addresses: dto.addresses?.map(toAddress) ?? [],
    fiscalReferences: dto.fiscalReferences ?? [],
  };
}

function toAddress(dto: AddressDto): Address {
  const texts: Texts<typeof ADDRESS_LENGTHS> = dto;
  return { ...texts, isMainAddress: dto.isMainAddress ?? false, isDeleted: dto.isDeleted ?? false };
}
