const CPF = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/;
/** Since IN RFB 2.229/2024 the first twelve may be letters. */
const CNPJ = /^(?:[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
const ONE_CHARACTER_ONLY = /^(.)\1*$/;
const ZERO = 48;
const CPF_WEIGHTS = 10;
const CNPJ_WEIGHTS = 8;

/** Tax id of a person, with or without its mask. */
export function isCpf(text: string): boolean {
  return CPF.test(text) && endsInCheckDigits(bare(text), CPF_WEIGHTS);
}

/** Tax id of a company, numeric or alphanumeric, in either case, with or without its mask. */
export function isCnpj(text: string): boolean {
  return CNPJ.test(text) && endsInCheckDigits(bare(text), CNPJ_WEIGHTS);
}

export function isTaxId(text: string): boolean {
  return isCpf(text) || isCnpj(text);
}

/** The form to compare by: no mask, upper case. Undefined when the text is no tax id. */
export function normaliseTaxId(text: string): string | undefined {
  return isTaxId(text) ? bare(text) : undefined;
}

/** The form people read: `529.982.247-25`, `12.345.678/0001-95`. Undefined when the text is no tax id. */
export function formatTaxId(text: string): string | undefined {
  const id = normaliseTaxId(text);
  return id?.length === 11
    ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : id?.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

function bare(text: string): string {
  return text.replaceAll(/[./-]/g, '').toUpperCase();
}

/** `111.111.111-11` and its like have right check digits, and are nobody's. */
function endsInCheckDigits(id: string, weights: number): boolean {
  return (
    !ONE_CHARACTER_ONLY.test(id) &&
    [id.length - 2, id.length - 1].every(
      (end) => id.charCodeAt(end) - ZERO === checkDigit(id.slice(0, end), weights),
    )
  );
}

/** Modulo 11; characters count by their distance from "0" in ASCII, weights rise from 2 at the right and begin again when they run out. */
function checkDigit(text: string, weights: number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    sum += (text.charCodeAt(text.length - 1 - i) - ZERO) * (2 + (i % weights));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
