export { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from './column-lengths.ts';
export { CounterpartyAddressEntity } from './counterparty-address.entity.ts';
export { CounterpartyFiscalReferenceEntity } from './counterparty-fiscal-reference.entity.ts';
export { CounterpartyEntity } from './counterparty.entity.ts';
