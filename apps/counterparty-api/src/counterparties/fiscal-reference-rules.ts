import { isTaxId } from '@malote/brazil';
import { buildMessage, ValidateBy } from 'class-validator';

/** CNPJ/CPF (specification 3.3). */
const TAX_ID_TYPE = 'BR1';

export function isTaxIdReference(reference: object): boolean {
  const { fiscalReferenceTypeCode: code } = reference as { readonly fiscalReferenceTypeCode?: unknown };
  return typeof code === 'string' && code.trim().toUpperCase() === TAX_ID_TYPE;
}

/** A number with wrong check digits is nobody's: an invoice for it would be rejected much later. */
export function HoldsTaxId(): PropertyDecorator {
  return ValidateBy({
    name: 'holdsTaxId',
    validator: {
      validate: (value, args) =>
        !isTaxIdReference(args?.object ?? {}) || (typeof value === 'string' && isTaxId(value)),
      defaultMessage: buildMessage(() => '$property must be a valid CNPJ or CPF, since its type is BR1'),
    },
  });
}
