import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';

/** Every column of VARCHAR filled to its end, with characters only some code pages have. */
export function filledTexts<Name extends string>(
  lengths: Readonly<Record<Name, number>>,
): Record<Name, string> {
  const entries = Object.entries<number>(lengths).map(([name, length]) => [
    name,
    `${name} – ação €`.padEnd(length, '.').slice(0, length),
  ]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

export const fullCounterparty = {
  ...filledTexts(COUNTERPARTY_LENGTHS),
  businessDocId: 'D'.repeat(COUNTERPARTY_LENGTHS.businessDocId),
  businessEntity: 'E'.repeat(COUNTERPARTY_LENGTHS.businessEntity),
  isDeleted: true,
  addresses: [
    { ...filledTexts(ADDRESS_LENGTHS), isMainAddress: true, isDeleted: false },
    { ...filledTexts(ADDRESS_LENGTHS), district: 'Sé', isMainAddress: false, isDeleted: true },
  ],
  fiscalReferences: [
    filledTexts(FISCAL_REFERENCE_LENGTHS),
    {
      fiscalReferenceTypeCode: 'BR1',
      fiscalReferenceTypeName: 'CNPJ/CPF',
      fiscalNumber: '12.ABC.345/01DE-35',
    },
  ],
};

const none = (lengths: object) => Object.fromEntries(Object.keys(lengths).map((name) => [name, null]));

/** How a document that says nothing but its key is shown. */
export const emptyCounterparty = {
  ...none(COUNTERPARTY_LENGTHS),
  isDeleted: false,
  status: 'Received',
  updatedAt: null,
  addresses: [],
  fiscalReferences: [],
};

export const emptyAddress = { ...none(ADDRESS_LENGTHS), isMainAddress: false, isDeleted: false };
export const emptyFiscalReference = none(FISCAL_REFERENCE_LENGTHS);
