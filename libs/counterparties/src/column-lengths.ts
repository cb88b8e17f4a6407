/** What the VARCHAR columns hold; the tables, the rules for requests and the parameters of statements follow from it. */
export const COUNTERPARTY_LENGTHS = {
  businessDocId: 100,
  businessAppId: 20,
  businessEntity: 20,
  originalBusinessDocId: 100,
  counterpartyId: 50,
  entityType: 10,
  name: 200,
  localName: 200,
  searchName: 200,
  referenceCode: 50,
  source: 20,
  status: 30,
} as const;

export const ADDRESS_LENGTHS = {
  addressTypeCode: 10,
  addressTypeName: 50,
  phone: 30,
  fax: 30,
  addrLine1: 200,
  addrLine2: 200,
  cityCode: 30,
  zipCode: 20,
  state: 10,
  district: 100,
} as const;

export const FISCAL_REFERENCE_LENGTHS = {
  fiscalReferenceTypeCode: 10,
  fiscalReferenceTypeName: 50,
  fiscalNumber: 30,
} as const;
