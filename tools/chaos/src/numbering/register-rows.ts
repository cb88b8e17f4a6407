import { asDate, type Tx, type UnitOfWork, varchar } from '@malote/persistence';

/** An entry of the log as it lies in the database. */
export interface LogRow {
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
  readonly kind: string;
  readonly position: number;
  readonly subject: string | null;
  readonly recipient: string | null;
  readonly processNumber: string | null;
  readonly notes: string | null;
  readonly reason: string | null;
  readonly requestKey: string | null;
  readonly previousHash: string;
  readonly hash: string;
}

export interface SequenceRow {
  readonly documentTypeId: string;
  readonly year: number;
  readonly lastNumber: number;
  readonly lastPosition: number;
  readonly lastHash: string;
}

const PAGE = 5_000;
const LOG_COLUMNS = [
  'documentTypeId',
  'documentTypeName',
  'prefix',
  'number',
  'year',
  'formattedNumber',
  'userId',
  'userName',
  'userEmail',
  'generatedAtLocal',
  'kind',
  'position',
  'subject',
  'recipient',
  'processNumber',
  'notes',
  'reason',
  'requestKey',
  'previousHash',
  'hash',
] as const;
const SEQUENCE_COLUMNS = ['documentTypeId', 'year', 'lastNumber', 'lastPosition', 'lastHash'] as const;

/** All entries of a document type in the order they were written, read past the code that wrote them. */
export async function readLog(uow: UnitOfWork, documentTypeId: string): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (let after = 0; ;) {
    const page = await uow.read((tx) => readPage(tx, documentTypeId, after));
    for (const { id, generatedAt, ...row } of page) {
      rows.push({ ...row, generatedAt: asDate(generatedAt) ?? new Date(NaN) });
      after = Number(id);
    }
    if (page.length < PAGE) return rows;
  }
}

type Found = Omit<LogRow, 'generatedAt'> & { readonly id: number | string; readonly generatedAt: unknown };

function readPage(tx: Tx, documentTypeId: string, after: number): Promise<Found[]> {
  const columns = listed(['id', 'generatedAt', ...LOG_COLUMNS]);
  const from = `FROM ${tx.dialect.table('TB_NUMBER_LOGS')} WHERE DocumentTypeId = @documentTypeId AND Id > @after ORDER BY Id`;
  return tx.query<Found>(tx.dialect.top(PAGE, `${columns} ${from}`), {
    documentTypeId: varchar(documentTypeId, 36),
    after,
  });
}

export function readSequences(uow: UnitOfWork, documentTypeId: string): Promise<SequenceRow[]> {
  return uow.read((tx) =>
    tx.query<SequenceRow>(
      `SELECT ${listed(SEQUENCE_COLUMNS)} FROM ${tx.dialect.table('TB_SEQUENCES')} WHERE DocumentTypeId = @documentTypeId`,
      { documentTypeId: varchar(documentTypeId, 36) },
    ),
  );
}

function listed(names: readonly string[]): string {
  return names.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)} AS "${name}"`).join(', ');
}
