export { MARIA, openType, UNDESCRIBED } from './document-types.ts';
