import { AppError } from '@malote/app-error';
import { saoPauloYear } from '@malote/brazil';
import { type Tx } from '@malote/persistence';
import { In } from 'typeorm';
import { type ActiveType, findActiveType } from './active-type.ts';
import { type Description, isSameDescription } from './log-entry.ts';
import { append, type Draft, type LogUser, type SequenceKey, type StoredEntry } from './number-chain.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { type Served } from './shared-turns.ts';

export interface NumberRequest {
  readonly documentTypeId: string;
  readonly user: LogUser;
  readonly description: Description;
  /** The caller's own: a request that comes again under the same key is answered with the number it got. */
  readonly requestKey: string;
}

export interface TakenNumber {
  readonly entry: StoredEntry;
  readonly outcome: 'created' | 'unchanged';
}

export interface DatedRequest {
  readonly request: NumberRequest;
  readonly at: Date;
}

/** The next number of this year's sequence, written down; for callers that have a transaction of their own. */
export async function takeNumber(tx: Tx, request: NumberRequest, now: Date): Promise<TakenNumber> {
  const key = { documentTypeId: request.documentTypeId, year: saoPauloYear(now) };
  const [served] = await takeNumbers(tx, key, [{ request, at: now }]);
  if (!served || 'error' in served) throw served?.error;
  return served.result;
}

/**
 * The next numbers of a sequence, in the order of the requests. A request that is refused takes none and leaves the others alone;
 * anything that goes wrong while they are written down is thrown, and undoes them all.
 */
export async function takeNumbers(
  tx: Tx,
  key: SequenceKey,
  requests: readonly DatedRequest[],
): Promise<Served<TakenNumber>[]> {
  const known = await findKnown(tx, requests);
  const fresh = firstOfEach(requests.filter(({ request }) => !known.has(nameOf(request))));
  const type = fresh.length > 0 ? await findActiveType(tx, key.documentTypeId) : undefined;
  const taken = !type || type instanceof AppError ? [] : await append(tx, key, fresh.map(draftOf(type)));
  taken.forEach((entry, n) => known.set(nameOf(fresh[n]?.request), entry));
  return requests.map((dated) => {
    const entry = known.get(nameOf(dated.request));
    if (!entry) return { error: type };
    if (!isSame(entry, dated.request)) return { error: keyReused(entry) };
    return { result: { entry, outcome: fresh.includes(dated) ? 'created' : 'unchanged' } };
  });
}

function draftOf(documentType: ActiveType) {
  return ({ request, at }: DatedRequest): Draft => ({
    kind: 'generated',
    number: (last) => last + 1,
    documentType,
    at,
    ...request,
  });
}

/** Two of one key are one request, however close they come. */
function firstOfEach(requests: readonly DatedRequest[]): DatedRequest[] {
  const first = new Map<string, DatedRequest>();
  for (const dated of requests) {
    const name = nameOf(dated.request);
    if (!first.has(name)) first.set(name, dated);
  }
  return [...first.values()];
}

async function findKnown(tx: Tx, requests: readonly DatedRequest[]): Promise<Map<string, StoredEntry>> {
  const keys = requests.map(({ request }) => ({ RequestKey: request.requestKey }));
  const rows = await tx.query<{ Id: unknown }>(
    `SELECT l.Id AS Id FROM ${tx.dialect.table('TB_NUMBER_LOGS')} AS l ` +
      `INNER JOIN ${tx.dialect.jsonRows('keys', { RequestKey: 'varchar(200)' })} AS k ON l.RequestKey = k.RequestKey ` +
      `WHERE l.RequestKey IS NOT NULL`,
    { keys: JSON.stringify(keys) },
  );
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ Id }) => String(Id));
  const entries = await tx.entities.findBy(NumberLogEntity, { id: In(ids) });
  return new Map(entries.map((entry) => [nameOf(entry), entry]));
}

/** Databases compare keys without regard to case. */
function nameOf(request: { readonly requestKey: string | null } | undefined): string {
  return request?.requestKey?.toLowerCase() ?? '';
}

function isSame(entry: StoredEntry, request: NumberRequest): boolean {
  return entry.documentTypeId === request.documentTypeId && isSameDescription(entry, request.description);
}

function keyReused({ id, formattedNumber }: StoredEntry): AppError {
  return new AppError(
    'conflict',
    'idempotency-key-reused',
    'The Idempotency-Key was used for another number',
    { details: { id, formattedNumber } },
  );
}
