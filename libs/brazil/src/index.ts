export { formatTaxId, isCnpj, isCpf, isTaxId, normaliseTaxId } from './tax-id.ts';
export { saoPauloTime, saoPauloYear } from './sao-paulo-time.ts';
