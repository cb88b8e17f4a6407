import { createHash } from 'node:crypto';

export const LOG_KINDS = ['generated', 'annulled', 'adjusted', 'amended'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** What people say of a number. */
export interface Description {
  readonly subject: string | null;
  readonly recipient: string | null;
  readonly processNumber: string | null;
  readonly notes: string | null;
}

export const UNDESCRIBED: Description = { subject: null, recipient: null, processNumber: null, notes: null };

/** What an entry of the log says; all of it is sealed. */
export interface LogEntry extends Description {
  readonly documentTypeId: string;
  readonly documentTypeName: string;
  readonly prefix: string | null;
  readonly number: number;
  readonly year: number;
  readonly formattedNumber: string;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly generatedAt: Date;
  readonly generatedAtLocal: string;
  readonly kind: LogKind;
  readonly position: number;
  readonly reason: string | null;
  readonly requestKey: string | null;
  readonly previousHash: string;
}

export interface SealedEntry extends LogEntry {
  readonly hash: string;
}

/** What the first entry of a sequence follows. */
export const CHAIN_START = '0'.repeat(64);

/** SHA-256, in hex, of everything the entry says in a fixed order, the hash of the entry before it first. */
export function hashOf(entry: LogEntry): string {
  const said = [
    entry.previousHash,
    entry.position,
    entry.kind,
    entry.documentTypeId,
    entry.documentTypeName,
    entry.prefix,
    entry.number,
    entry.year,
    entry.formattedNumber,
    entry.userId,
    entry.userName,
    entry.userEmail,
    entry.generatedAt.toISOString(),
    entry.generatedAtLocal,
    entry.subject,
    entry.recipient,
    entry.processNumber,
    entry.notes,
    entry.reason,
    entry.requestKey,
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

export function formatNumber(number: number, year: number): string {
  return `${number}/${year}`;
}

export const DESCRIPTION_FIELDS = [
  'subject',
  'recipient',
  'processNumber',
  'notes',
] as const satisfies readonly (keyof Description)[];

export function isSameDescription(one: Description, other: Description): boolean {
  return DESCRIPTION_FIELDS.every((name) => one[name] === other[name]);
}

export function describe(before: Description, changes: Partial<Description>): Description {
  const { subject, recipient, processNumber, notes } = { ...before, ...changes };
  return { subject, recipient, processNumber, notes };
}
