import { AppError } from '@malote/app-error';
import { saoPauloYear } from '@malote/brazil';
import { type Tx, type UnitOfWork } from '@malote/persistence';
import { In } from 'typeorm';
import { findActiveType } from './active-type.ts';
import { describe, type Description, formatNumber, isSameDescription } from './log-entry.ts';
import { append, type Draft, lockSequence, type LogUser, type StoredEntry } from './number-chain.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { type Served, SharedTurns } from './shared-turns.ts';
import { type DatedRequest, type NumberRequest, type TakenNumber, takeNumbers } from './take-numbers.ts';

export interface Annulment {
  readonly id: string;
  readonly user: LogUser & { readonly isAdmin: boolean };
  readonly reason: string;
}

export interface Amendment {
  readonly id: string;
  readonly user: LogUser & { readonly isAdmin: boolean };
  /** What is absent stays as it is. */
  readonly changes: Partial<Description>;
  /** Hash of the entry whose description is changed: refused when somebody else has said something since. */
  readonly seen?: string | undefined;
}

export interface Adjustment {
  readonly documentTypeId: string;
  /** The sequence goes on after this number. */
  readonly lastNumber: number;
  readonly user: LogUser;
  readonly reason: string;
}

const MOST_PER_TURN = 100;
/** Requests of another process can be in the way once for each of a turn at most, and are not again. */
const MAX_TRIES = 3;

/** What can be done to the numbers of documents: take the next one, amend or annul one, move a sequence on. */
export class DocumentNumbers {
  private readonly turns = new SharedTurns<DatedRequest, TakenNumber>(
    (_sequence, requests) => this.takeTogether(requests),
    MOST_PER_TURN,
  );

  constructor(private readonly uow: UnitOfWork) {}

  /** Callers at the same moment share a transaction; each has an answer only once it is committed. */
  take(request: NumberRequest, now: Date): Promise<TakenNumber> {
    return this.turns.join(`${request.documentTypeId}/${saoPauloYear(now)}`, { request, at: now });
  }

  /** Kept in the register, marked as annulled, and never given out again. Who took it may annul it, and so may any admin. */
  annul({ id, user, reason }: Annulment, now: Date): Promise<StoredEntry> {
    return this.uow.run(async (tx) => {
      const taken = await lockOwn(tx, id, user);
      return first(await append(tx, taken, [{ ...about(taken), kind: 'annulled', user, at: now, reason }]));
    });
  }

  /** Says something else of a number. What was said before stays in the log. Undefined when that is what it says already. */
  amend({ id, user, changes, seen }: Amendment, now: Date): Promise<StoredEntry | undefined> {
    return this.uow.run(async (tx) => {
      const taken = await lockOwn(tx, id, user);
      const said = await tx.entities.find(NumberLogEntity, {
        where: { ...sameNumber(taken), kind: In(['generated', 'amended']) },
        order: { position: 'ASC' },
      });
      const before = said.at(-1) ?? taken;
      if (seen !== undefined && seen !== before.hash) {
        throw new AppError('conflict', 'number-changed-meanwhile', 'Somebody else has changed it meanwhile');
      }
      const description = describe(before, changes);
      if (isSameDescription(before, description)) return undefined;
      return first(
        await append(tx, taken, [{ ...about(taken), kind: 'amended', user, at: now, description }]),
      );
    });
  }

  /** Moves this year's sequence on, for instance past the numbers of a paper book. Never back: those numbers are taken. */
  adjust({ documentTypeId, lastNumber, user, reason }: Adjustment, now: Date): Promise<StoredEntry> {
    return this.uow.run(async (tx) => {
      const documentType = await findActiveType(tx, documentTypeId);
      if (documentType instanceof AppError) throw documentType;
      const year = saoPauloYear(now);
      const number = (last: number) => {
        if (lastNumber > last) return lastNumber;
        throw new AppError(
          'conflict',
          'sequence-beyond',
          `The sequence is already at ${formatNumber(last, year)}; it can only be moved on`,
          { details: { lastNumber: last, year } },
        );
      };
      const draft: Draft = { kind: 'adjusted', number, documentType, user, at: now, reason };
      return first(await append(tx, { documentTypeId, year }, [draft]));
    });
  }

  private async takeTogether(requests: readonly DatedRequest[]): Promise<Served<TakenNumber>[]> {
    try {
      return await this.takeInOneTransaction(requests);
    } catch (error) {
      if (requests.length === 1 || isUnavailable(error)) return requests.map(() => ({ error }));
      // Whatever it was, it may be the fault of one of them alone.
      const alone: Served<TakenNumber>[] = [];
      for (const request of requests) alone.push(...(await this.takeTogether([request])));
      return alone;
    }
  }

  private async takeInOneTransaction(requests: readonly DatedRequest[]): Promise<Served<TakenNumber>[]> {
    const [{ request, at }] = requests as readonly [DatedRequest];
    const key = { documentTypeId: request.documentTypeId, year: saoPauloYear(at) };
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.uow.run((tx) => takeNumbers(tx, key, requests));
      } catch (error) {
        // A request that came to another process as well: its entry is there now, and the numbers taken here were given back.
        if (tries === MAX_TRIES || !this.uow.dialect.isDuplicateKey(error)) throw error;
      }
    }
  }
}

function first(entries: readonly StoredEntry[]): StoredEntry {
  const [entry] = entries;
  if (!entry) throw new Error('An entry was not stored');
  return entry;
}

/** A number that may still be changed by this user. Its sequence is locked, so that nobody annuls it meanwhile. */
async function lockOwn(tx: Tx, id: string, user: Annulment['user']): Promise<NumberLogEntity> {
  const taken = await tx.entities.findOneBy(NumberLogEntity, { id, kind: 'generated' });
  if (!taken) throw new AppError('not-found', 'number-unknown', 'There is no such number');
  if (taken.userId !== user.id && !user.isAdmin) {
    throw new AppError('forbidden', 'not-your-number', 'Only who took a number, or an admin, may change it');
  }
  await lockSequence(tx, taken);
  if (!(await tx.entities.existsBy(NumberLogEntity, { ...sameNumber(taken), kind: 'annulled' })))
    return taken;
  throw new AppError('conflict', 'number-already-annulled', 'The number was annulled before');
}

function sameNumber({ documentTypeId, year, number }: NumberLogEntity) {
  return { documentTypeId, year, number };
}

function about({ number, documentTypeName: name, prefix }: NumberLogEntity) {
  return { number: () => number, documentType: { name, prefix } };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'unavailable';
}
