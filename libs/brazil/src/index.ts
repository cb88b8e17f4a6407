export { formatTaxId, isCnpj, isCpf, isTaxId, normaliseTaxId } from './tax-id.ts';
