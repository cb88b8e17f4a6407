export { isCnpj, isCpf } from '@malote/brazil';
