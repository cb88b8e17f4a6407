import { type SqlParameters, type Tx, type UnitOfWork, varchar } from '@malote/persistence';
import { And, LessThanOrEqual, MoreThan } from 'typeorm';
import { type Break, ChainCheck, type SequenceEnd, type Skipped } from './chain-check.ts';
import { type SequenceKey } from './number-chain.ts';
import { NumberLogEntity } from './number-log.entity.ts';

const PAGE = 1_000;
const NO_END = 2_147_483_647;

export interface SequenceAudit extends SequenceKey {
  readonly documentTypeName: string;
  readonly lastNumber: number;
  readonly entries: number;
  readonly annulled: number;
  readonly skipped: readonly Skipped[];
  /** The end of the chain. Whoever keeps a copy of it elsewhere can prove later that nothing before it was changed. */
  readonly lastHash: string;
  readonly intact: boolean;
  readonly firstBreak?: Break;
}

export interface RegisterAudit {
  readonly intact: boolean;
  readonly checkedAt: Date;
  readonly sequences: readonly SequenceAudit[];
}

export interface AuditFilter {
  readonly documentTypeId?: string | undefined;
  readonly year?: number | undefined;
}

interface FoundSequence extends SequenceKey {
  readonly documentTypeName: string;
  /** Undefined when its row is gone. */
  readonly end: SequenceEnd | undefined;
}

/** Reads the register and proves that it is complete: no gap, no number twice, nothing changed since it was written. */
export async function auditRegister(uow: UnitOfWork, filter: AuditFilter, now: Date): Promise<RegisterAudit> {
  const found = await uow.read((tx) => findSequences(tx, filter));
  const sequences: SequenceAudit[] = [];
  for (const sequence of found) sequences.push(await auditSequence(uow, sequence));
  return { intact: sequences.every(({ intact }) => intact), checkedAt: now, sequences };
}

/** Page by page, each in a transaction of its own, so that nobody who takes a number waits; what is added meanwhile is left out. */
async function auditSequence(uow: UnitOfWork, sequence: FoundSequence): Promise<SequenceAudit> {
  const { documentTypeId, year, documentTypeName, end } = sequence;
  const check = new ChainCheck(year);
  for (let after = 0; ;) {
    const position = And(MoreThan(after), LessThanOrEqual(end?.lastPosition ?? NO_END));
    const page = await uow.read((tx) =>
      tx.entities.find(NumberLogEntity, {
        where: { documentTypeId, year, position },
        order: { position: 'ASC' },
        take: PAGE,
      }),
    );
    for (const entry of page) check.add(entry);
    after = page.at(-1)?.position ?? after;
    if (page.length < PAGE || check.firstBreak) break;
  }
  const outside = await uow.read((tx) => findOutside(tx, sequence));
  if (outside !== undefined) check.addOutside(outside);
  check.end(end);
  const { entries, lastNumber, lastHash, skipped, firstBreak, annulledCount: annulled } = check;
  const facts = { documentTypeId, documentTypeName, year, lastNumber, entries, annulled, skipped, lastHash };
  return { ...facts, intact: !firstBreak, ...(firstBreak && { firstBreak }) };
}

/** A position before the first or after the last. The log is asked before the sequence, which may have gone on since. */
async function findOutside(tx: Tx, { documentTypeId, year }: SequenceKey): Promise<number | undefined> {
  const key = { documentTypeId: varchar(documentTypeId, 36), year };
  const where = 'WHERE DocumentTypeId = @documentTypeId AND Year = @year';
  const log = await tx.first<{ First: number | null; Last: number | null }>(
    `SELECT MIN(Position) AS First, MAX(Position) AS Last FROM ${tx.dialect.table('TB_NUMBER_LOGS')} ${where}`,
    key,
  );
  const row = await tx.first<{ LastPosition: number }>(
    `SELECT LastPosition AS LastPosition FROM ${tx.dialect.table('TB_SEQUENCES')} ${where}`,
    key,
  );
  const { First: first, Last: last } = log ?? {};
  if (typeof first === 'number' && first < 1) return first;
  return row && typeof last === 'number' && last > row.LastPosition ? last : undefined;
}

/** Those of the log as well: a sequence whose row was deleted is known by the entries it has left. */
async function findSequences(tx: Tx, { documentTypeId, year }: AuditFilter): Promise<FoundSequence[]> {
  const [types, sequences, logs] = ['TB_DOCUMENT_TYPES', 'TB_SEQUENCES', 'TB_NUMBER_LOGS'].map((name) =>
    tx.dialect.table(name),
  );
  const conditions = [
    ...(documentTypeId === undefined ? [] : ['k.DocumentTypeId = @documentTypeId']),
    ...(year === undefined ? [] : ['k.Year = @year']),
  ];
  const parameters: SqlParameters = {
    ...(documentTypeId !== undefined && { documentTypeId: varchar(documentTypeId, 36) }),
    ...(year !== undefined && { year }),
  };
  const rows = await tx.query<{
    DocumentTypeId: string;
    Year: number;
    Name: string | null;
    LastNumber: number | null;
    LastPosition: number;
    LastHash: string;
  }>(
    `SELECT k.DocumentTypeId AS DocumentTypeId, k.Year AS Year, d.Name AS Name, s.LastNumber AS LastNumber, ` +
      `s.LastPosition AS LastPosition, s.LastHash AS LastHash ` +
      `FROM (SELECT DocumentTypeId, Year FROM ${sequences} UNION SELECT DocumentTypeId, Year FROM ${logs}) AS k ` +
      `LEFT JOIN ${sequences} AS s ON s.DocumentTypeId = k.DocumentTypeId AND s.Year = k.Year ` +
      `LEFT JOIN ${types} AS d ON d.Id = k.DocumentTypeId ` +
      (conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '') +
      `ORDER BY k.Year DESC, d.SortOrder, d.Name`,
    parameters,
  );
  return rows.map((row) => ({
    documentTypeId: row.DocumentTypeId,
    year: row.Year,
    documentTypeName: row.Name ?? '',
    end:
      row.LastNumber === null
        ? undefined
        : { lastNumber: row.LastNumber, lastPosition: row.LastPosition, lastHash: row.LastHash },
  }));
}
