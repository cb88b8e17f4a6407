import { saoPauloTime, saoPauloYear } from '@malote/brazil';
import { asDate, datetime2, nvarchar, type SqlParameters, type Tx, varchar } from '@malote/persistence';
import {
  CHAIN_START,
  type Description,
  formatNumber,
  hashOf,
  type LogKind,
  type SealedEntry,
  UNDESCRIBED,
} from './log-entry.ts';
import { searchTextOf } from './search-text.ts';

const SEQUENCES = 'TB_SEQUENCES';
const LOGS = 'TB_NUMBER_LOGS';

export interface SequenceKey {
  readonly documentTypeId: string;
  readonly year: number;
}

export interface LogUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** An entry, but for what follows from its place in the chain. */
export interface Draft {
  readonly kind: LogKind;
  /** The number the entry is about, told what the last one was. */
  readonly number: (lastNumber: number) => number;
  readonly documentType: { readonly name: string; readonly prefix: string | null };
  readonly user: LogUser;
  readonly at: Date;
  readonly description?: Description;
  readonly reason?: string | null;
  readonly requestKey?: string | null;
}

export interface StoredEntry extends SealedEntry {
  readonly id: string;
}

/** The end of the chain: what the next entry follows. */
interface Head {
  readonly lastNumber: number;
  readonly lastPosition: number;
  readonly lastHash: string;
  readonly writtenAt: Date | null;
}

const EMPTY: Head = { lastNumber: 0, lastPosition: 0, lastHash: CHAIN_START, writtenAt: null };

/**
 * Adds entries to the log of a sequence. The row of the sequence stays locked until the transaction ends, so that whoever comes
 * next waits; numbers, entries and end of the chain are stored together or not at all. A year's first entry makes the sequence.
 */
export async function append(tx: Tx, key: SequenceKey, drafts: readonly Draft[]): Promise<StoredEntry[]> {
  const head = await lockHead(tx, key);
  const entries = sealAll(key, head ?? EMPTY, drafts);
  const end = headAfter(head ?? EMPTY, entries);
  if (head) await storeHead(tx, key, end);
  // Somebody else took the first number of the year at the same moment.
  else if (!(await createSequence(tx, key, end))) return append(tx, key, drafts);
  await tx.dialect.insertAll(tx, LOGS, entries.map(logColumns));
  return withIds(tx, key, entries);
}

/** Until the transaction ends nobody else adds to its log. */
export async function lockSequence(tx: Tx, key: SequenceKey): Promise<void> {
  await lockHead(tx, key);
}

/** The lock is an UPDATE: other than a hint, no server takes it for a suggestion. */
async function lockHead(tx: Tx, key: SequenceKey): Promise<Head | undefined> {
  const row = await tx.dialect.changeOne<{
    LastNumber: number;
    LastPosition: number;
    LastHash: string;
    UpdatedAt: unknown;
  }>(
    tx,
    {
      table: SEQUENCES,
      set: 'LastPosition = LastPosition',
      key: ['DocumentTypeId', 'Year'],
      returning: ['LastNumber', 'LastPosition', 'LastHash', 'UpdatedAt'],
    },
    keyColumns(key),
  );
  return (
    row && {
      lastNumber: row.LastNumber,
      lastPosition: row.LastPosition,
      lastHash: row.LastHash,
      writtenAt: asDate(row.UpdatedAt),
    }
  );
}

function sealAll(key: SequenceKey, start: Head, drafts: readonly Draft[]): SealedEntry[] {
  const entries: SealedEntry[] = [];
  let head = start;
  for (const draft of drafts) {
    const entry = seal(key, head, draft);
    entries.push(entry);
    head = headAfter(head, [entry]);
  }
  return entries;
}

function seal(key: SequenceKey, head: Head, draft: Draft): SealedEntry {
  const { kind, documentType, user, description = UNDESCRIBED, reason = null, requestKey = null } = draft;
  const number = draft.number(head.lastNumber);
  const generatedAt = notBefore(head.writtenAt, draft.at, key.year);
  const entry = {
    documentTypeId: key.documentTypeId,
    documentTypeName: documentType.name,
    prefix: documentType.prefix,
    number,
    year: key.year,
    formattedNumber: formatNumber(number, key.year),
    userId: user.id,
    userName: user.name,
    userEmail: user.email,
    generatedAt,
    generatedAtLocal: saoPauloTime(generatedAt),
    kind,
    position: head.lastPosition + 1,
    subject: description.subject,
    recipient: description.recipient,
    processNumber: description.processNumber,
    notes: description.notes,
    reason,
    requestKey,
    previousHash: head.lastHash,
  };
  return { ...entry, hash: hashOf(entry) };
}

/**
 * Clocks of two machines differ; the register must not look as if a number had been taken before the one it follows. (An entry of
 * a later year takes no number, and does not date those of its sequence.)
 */
function notBefore(writtenAt: Date | null, now: Date, year: number): Date {
  return writtenAt && writtenAt > now && saoPauloYear(writtenAt) === year ? writtenAt : now;
}

function headAfter(head: Head, entries: readonly SealedEntry[]): Head {
  const last = entries.at(-1);
  if (!last) return head;
  // Annulments and amendments are about older numbers.
  const moved = entries.findLast(({ kind }) => kind === 'generated' || kind === 'adjusted');
  return {
    lastNumber: moved?.number ?? head.lastNumber,
    lastPosition: last.position,
    lastHash: last.hash,
    writtenAt: last.generatedAt,
  };
}

async function storeHead(tx: Tx, key: SequenceKey, head: Head): Promise<void> {
  await tx.execute(
    `UPDATE ${tx.dialect.table(SEQUENCES)} SET LastNumber = @LastNumber, LastPosition = @LastPosition, ` +
      `LastHash = @LastHash, UpdatedAt = @UpdatedAt WHERE DocumentTypeId = @DocumentTypeId AND Year = @Year`,
    { ...keyColumns(key), ...headColumns(head) },
  );
}

async function createSequence(tx: Tx, key: SequenceKey, head: Head): Promise<boolean> {
  const columns = { ...keyColumns(key), ...headColumns(head) };
  const { inserted } = await tx.dialect.insertOnce(tx, SEQUENCES, columns, ['DocumentTypeId', 'Year']);
  return inserted;
}

async function withIds(tx: Tx, key: SequenceKey, entries: readonly SealedEntry[]): Promise<StoredEntry[]> {
  const rows = await tx.query<{ Id: unknown; Position: number }>(
    `SELECT Id AS Id, Position AS Position FROM ${tx.dialect.table(LOGS)} ` +
      `WHERE DocumentTypeId = @DocumentTypeId AND Year = @Year AND Position >= @first`,
    { ...keyColumns(key), first: entries[0]?.position ?? 0 },
  );
  const ids = new Map(rows.map(({ Id, Position }) => [Position, String(Id)]));
  return entries.map((entry) => ({ ...entry, id: ids.get(entry.position) ?? '' }));
}

function keyColumns({ documentTypeId, year }: SequenceKey): SqlParameters {
  return { DocumentTypeId: varchar(documentTypeId, 36), Year: year };
}

function headColumns({ lastNumber, lastPosition, lastHash, writtenAt }: Head): SqlParameters {
  return {
    LastNumber: lastNumber,
    LastPosition: lastPosition,
    LastHash: varchar(lastHash, 64),
    UpdatedAt: datetime2(writtenAt),
  };
}

function logColumns(entry: SealedEntry): SqlParameters {
  return {
    ...keyColumns(entry),
    DocumentTypeName: nvarchar(entry.documentTypeName, 50),
    Number: entry.number,
    FormattedNumber: varchar(entry.formattedNumber, 20),
    UserId: varchar(entry.userId, 36),
    UserName: nvarchar(entry.userName, 100),
    UserEmail: varchar(entry.userEmail, 254),
    GeneratedAt: entry.generatedAt,
    GeneratedAtLocal: varchar(entry.generatedAtLocal, 40),
    Kind: varchar(entry.kind, 10),
    Position: entry.position,
    Prefix: varchar(entry.prefix, 10),
    Subject: nvarchar(entry.subject, 200),
    Recipient: nvarchar(entry.recipient, 200),
    ProcessNumber: nvarchar(entry.processNumber, 50),
    Notes: nvarchar(entry.notes, 500),
    Reason: nvarchar(entry.reason, 500),
    RequestKey: varchar(entry.requestKey, 200),
    SearchText: nvarchar(searchTextOf(entry), 1_800),
    PreviousHash: varchar(entry.previousHash, 64),
    Hash: varchar(entry.hash, 64),
  };
}
