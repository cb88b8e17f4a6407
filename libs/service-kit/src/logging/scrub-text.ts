import { isCnpj } from '@malote/brazil';

/** A text none of the patterns can match skips them all; most log texts do. */
const SUSPECT = /\d{2}|@|=|eyJ|-----BEGIN|whsec_|bearer|authorization/i;
/** Half the strings of an ordinary line are ids of requests and traces. */
const OPAQUE_ID = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{32})$/;

/** Secrets first, then longer numbers: a CNPJ or a phone number must not be taken for a CPF with digits around it. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, '[pem]'],
  [/\beyJ[\w-]{5,}\.[\w-]+\.?[\w-]*/g, '[token]'],
  [/\bwhsec_[\w+/=-]+/g, '[secret]'],
  [/\b(authorization["']?\s?[:=]\s?["']?(?:(?:Bearer|Basic|Digest) +)?)[^\s,;"']+/gi, '$1[token]'],
  // A token has digits or is long; the word after "bearer" in a sentence is neither.
  [/\b(bearer +)(?=[\w.~+/-]*\d|[\w.~+/-]{20})[\w.~+/-]{6,}=*/gi, '$1[token]'],
  [/((?:password|passwd|pwd|senha|secret|token|api[-_]?key)=)[^\s;&"']+/gi, '$1[redacted]'],
  // A password may itself have an @ or a slash; what looks like one in `host:port/path` is none.
  [/(:\/\/)(?:[^\s/?#@:]{0,128}:(?!\d{1,5}(?:[/?#]|$))\S{0,256}|[^\s/?#@:]{1,256})@/g, '$1[credentials]@'],
  [/[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
  [/(?<![\w.-])[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}(?![\w-])/g, '[cnpj]'],
  [/(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, '[cpf]'],
  [/(?<![\w.-])(?:\+?55[ -]?)?\(?[1-9]{2}\)?[ -]?(?:9?\d{4}-|9\d{4} )\d{4}(?![\w-])/g, '[phone]'],
  [/\+\d{1,3}[ -]?\d{2}[ -]?\d{4,5}[ -]?\d{4}(?!\w)/g, '[phone]'],
  [/(?<![\w.-])55[1-9]{2}\d{8,9}(?![\w-]|\.\d)/g, '[phone]'],
  [/(?<![\w.-])\d{11}(?![\w-]|\.\d)/g, '[cpf]'],
];
const BARE_CNPJ = /(?<![\w.-])[\dA-Z]{12}\d{2}(?![\w-]|\.\d)/g;
const TIMESTAMP = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/;

/** Masks what must not be in a log wherever it stands in a text: tax ids, phone numbers, addresses, tokens, keys. */
export function scrubText(text: string): string {
  if (!SUSPECT.test(text) || OPAQUE_ID.test(text)) return text;
  const scrubbed = PATTERNS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), text);
  return scrubbed.replace(BARE_CNPJ, (found) => (mayBeCnpj(found) ? '[cnpj]' : found));
}

/** Fourteen digits are taken for one even when mistyped, unless they tell a time; among letters only the check digits can tell. */
function mayBeCnpj(found: string): boolean {
  return isCnpj(found) || (/^\d+$/.test(found) && !TIMESTAMP.test(found));
}
