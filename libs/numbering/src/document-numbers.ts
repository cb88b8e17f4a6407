import { AppError } from '@malote/app-error';
import { saoPauloYear } from '@malote/brazil';
import { type UnitOfWork } from '@malote/persistence';
import { findActiveType } from './active-type.ts';
import { formatNumber } from './log-entry.ts';
import { append, type Draft, type LogUser, type StoredEntry } from './number-chain.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { type Served, SharedTurns } from './shared-turns.ts';
import { type DatedRequest, type NumberRequest, type TakenNumber, takeNumbers } from './take-numbers.ts';

export interface Annulment {
  readonly id: string;
  readonly user: LogUser & { readonly isAdmin: boolean };
  readonly reason: string;
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

/** What can be done to the numbers of documents: take the next one, annul one, move a sequence on. */
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
      const taken = await tx.entities.findOneBy(NumberLogEntity, { id, kind: 'generated' });
      if (!taken) throw new AppError('not-found', 'number-unknown', 'There is no such number');
      if (taken.userId !== user.id && !user.isAdmin) {
        throw new AppError(
          'forbidden',
          'not-your-number',
          'Only who took a number, or an admin, may annul it',
        );
      }
      const { documentTypeId, year, number, documentTypeName: name, prefix } = taken;
      const annulled = { documentTypeId, year, number, kind: 'annulled' } as const;
      if (await tx.entities.existsBy(NumberLogEntity, annulled)) throw alreadyAnnulled();
      const documentType = { name, prefix };
      const draft: Draft = { kind: 'annulled', number: () => number, documentType, user, at: now, reason };
      return first(
        await append(tx, taken, [draft]).catch((error: unknown) => {
          throw tx.dialect.isDuplicateKey(error) ? alreadyAnnulled() : error;
        }),
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

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'unavailable';
}

function alreadyAnnulled(): AppError {
  return new AppError('conflict', 'number-already-annulled', 'The number was annulled before');
}
