import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  type Address,
  type CounterpartyWithPayload,
  type FiscalReference,
  type SavedCounterparty,
  type StoredCounterparty,
} from './counterparty.ts';

function Text(maxLength: number): PropertyDecorator {
  return ApiProperty({ type: 'string', nullable: true, maxLength });
}

export class AddressResponse implements Address {
  @Text(ADDRESS_LENGTHS.addressTypeCode)
  addressTypeCode!: string | null;

  @Text(ADDRESS_LENGTHS.addressTypeName)
  addressTypeName!: string | null;

  @Text(ADDRESS_LENGTHS.phone)
  phone!: string | null;

  @Text(ADDRESS_LENGTHS.fax)
  fax!: string | null;

  @Text(ADDRESS_LENGTHS.addrLine1)
  addrLine1!: string | null;

  @Text(ADDRESS_LENGTHS.addrLine2)
  addrLine2!: string | null;

  @Text(ADDRESS_LENGTHS.cityCode)
  cityCode!: string | null;

  @Text(ADDRESS_LENGTHS.zipCode)
  zipCode!: string | null;

  @Text(ADDRESS_LENGTHS.state)
  state!: string | null;

  @Text(ADDRESS_LENGTHS.district)
  district!: string | null;

  @ApiProperty()
  isMainAddress!: boolean;

  @ApiProperty()
  isDeleted!: boolean;
}

export class FiscalReferenceResponse implements FiscalReference {
  @Text(FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeCode)
  fiscalReferenceTypeCode!: string | null;

  @Text(FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeName)
  fiscalReferenceTypeName!: string | null;

  @Text(FISCAL_REFERENCE_LENGTHS.fiscalNumber)
  fiscalNumber!: string | null;
}

export class CounterpartyResponse {
  @ApiProperty({ description: 'A 64-bit number, as text' })
  id!: string;

  @ApiProperty({ maxLength: COUNTERPARTY_LENGTHS.businessDocId, description: 'As it was first spelt' })
  businessDocId!: string;

  @Text(COUNTERPARTY_LENGTHS.businessAppId)
  businessAppId!: string | null;

  @Text(COUNTERPARTY_LENGTHS.businessEntity)
  businessEntity!: string | null;

  @Text(COUNTERPARTY_LENGTHS.originalBusinessDocId)
  originalBusinessDocId!: string | null;

  @Text(COUNTERPARTY_LENGTHS.counterpartyId)
  counterpartyId!: string | null;

  @Text(COUNTERPARTY_LENGTHS.entityType)
  entityType!: string | null;

  @Text(COUNTERPARTY_LENGTHS.name)
  name!: string | null;

  @Text(COUNTERPARTY_LENGTHS.localName)
  localName!: string | null;

  @Text(COUNTERPARTY_LENGTHS.searchName)
  searchName!: string | null;

  @Text(COUNTERPARTY_LENGTHS.referenceCode)
  referenceCode!: string | null;

  @ApiProperty()
  isDeleted!: boolean;

  @Text(COUNTERPARTY_LENGTHS.source)
  source!: string | null;

  @ApiProperty({ maxLength: COUNTERPARTY_LENGTHS.status, example: 'Received' })
  status!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Null until it is sent again',
  })
  updatedAt!: string | null;

  @ApiProperty({ type: [AddressResponse] })
  addresses!: readonly Address[];

  @ApiProperty({ type: [FiscalReferenceResponse] })
  fiscalReferences!: readonly FiscalReference[];
}

export class SavedCounterpartyResponse extends CounterpartyResponse {
  @ApiProperty({ enum: ['created', 'updated'] })
  outcome!: SavedCounterparty['outcome'];
}

export class CounterpartyDetailResponse extends CounterpartyResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The body of the last request, with what no column holds',
  })
  rawPayload: unknown;
}

export class CounterpartyPageResponse {
  @ApiProperty({ type: [CounterpartyResponse] })
  items!: readonly CounterpartyResponse[];

  @ApiPropertyOptional({ description: 'The `cursor` of the next page; absent on the last one' })
  next?: string;
}

export function toResponse(stored: StoredCounterparty): CounterpartyResponse {
  return { ...stored, ...timesOf(stored) };
}

export function toSavedResponse(saved: SavedCounterparty): SavedCounterpartyResponse {
  return { ...saved, ...timesOf(saved) };
}

export function toDetailResponse(stored: CounterpartyWithPayload): CounterpartyDetailResponse {
  return { ...stored, ...timesOf(stored), rawPayload: parsePayload(stored.rawPayload) };
}

function timesOf({ createdAt, updatedAt }: StoredCounterparty) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt?.toISOString() ?? null };
}

/** Other systems write to the table too: what is no JSON is shown as the text it is. */
function parsePayload(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
