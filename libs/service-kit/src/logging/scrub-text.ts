/** A text none of the patterns can match skips them all; most log texts do. */
const SUSPECT = /\d{2}|@|eyJ|-----BEGIN/;

/** Longer numbers first: a CNPJ or a phone number must not be taken for a CPF with digits around it. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, '[pem]'],
  [/\beyJ[\w-]{5,}\.[\w-]+\.?[\w-]*/g, '[token]'],
  [/[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
  [/(?<![\w.-])[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}(?![\w-])/g, '[cnpj]'],
  [/(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, '[cpf]'],
  [/(?<![\w.-])(?:\+?55[ -]?)?\(?[1-9]{2}\)?[ -]?9?\d{4}-\d{4}(?![\w-])/g, '[phone]'],
  [/\+\d{1,3}[ -]?\d{2}[ -]?\d{4,5}[ -]?\d{4}(?!\w)/g, '[phone]'],
  [/(?<![\w.-])\d{14}(?![\w-]|\.\d)/g, '[cnpj]'],
  [/(?<![\w.-])55[1-9]{2}\d{8,9}(?![\w-]|\.\d)/g, '[phone]'],
  [/(?<![\w.-])\d{11}(?![\w-]|\.\d)/g, '[cpf]'],
];

/** Masks what must not be in a log wherever it stands in a text: tax ids, phone numbers, addresses, tokens, keys. */
export function scrubText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return PATTERNS.reduce((scrubbed, [pattern, mask]) => scrubbed.replace(pattern, mask), text);
}
