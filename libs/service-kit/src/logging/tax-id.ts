const ZERO = 48;
const CPF_WEIGHTS = 10;
const CNPJ_WEIGHTS = 8;

/** Eleven digits whose last two follow from the others. */
export function isCpf(digits: string): boolean {
  return endsInCheckDigits(digits, CPF_WEIGHTS);
}

/** Fourteen characters; since IN RFB 2.229/2024 the first twelve may be letters, which count by their place in ASCII. */
export function isCnpj(characters: string): boolean {
  return endsInCheckDigits(characters, CNPJ_WEIGHTS);
}

function endsInCheckDigits(text: string, weights: number): boolean {
  return [text.length - 2, text.length - 1].every(
    (end) => text.charCodeAt(end) - ZERO === checkDigit(text.slice(0, end), weights),
  );
}

/** Modulo 11; the weights rise from 2 at the right, and begin again when they run out. */
function checkDigit(text: string, weights: number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    sum += (text.charCodeAt(text.length - 1 - i) - ZERO) * (2 + (i % weights));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
