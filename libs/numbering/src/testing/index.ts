export { MARIA, openType } from './document-types.ts';
