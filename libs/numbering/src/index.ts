export { type Break, BREAK_KINDS, type BreakKind, ChainCheck, type Skipped } from './chain-check.ts';
export { type Adjustment, type Amendment, type Annulment, DocumentNumbers } from './document-numbers.ts';
export { DocumentTypeEntity } from './document-type.entity.ts';
export { FISCAL_KINDS, type FiscalKind, isSeries, largestNumber } from './fiscal-kind.ts';
export { type FiscalRange, takeFiscalNumber } from './fiscal-numbers.ts';
export {
  CHAIN_START,
  type Description,
  DESCRIPTION_FIELDS,
  formatNumber,
  hashOf,
  LOG_KINDS,
  type LogEntry,
  type LogKind,
  type SealedEntry,
  UNDESCRIBED,
} from './log-entry.ts';
export { type LogUser, type SequenceKey, type StoredEntry } from './number-chain.ts';
export { NumberLogEntity } from './number-log.entity.ts';
export { NumberRangeEntity } from './number-range.entity.ts';
export { NUMBERING_TABLES } from './numbering-tables.ts';
export { type AuditFilter, auditRegister, type RegisterAudit, type SequenceAudit } from './register-audit.ts';
export { fold, searchTerm } from './search-text.ts';
export { SequenceEntity } from './sequence.entity.ts';
export { type NumberRequest, type TakenNumber, takeNumber } from './take-numbers.ts';
