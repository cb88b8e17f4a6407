import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@malote/app-error';
import { databaseBusy, databaseClosed, databaseUnavailable, isDatabaseOutage } from './database-errors.ts';
import { type Dialect } from './dialect.ts';
import { type OutageListener, OutageWatch } from './outage-watch.ts';
import { type Tx } from './tx.ts';

const insideUnitOfWork = new AsyncLocalStorage<true>();

/**
 * The only way to the database. A use case opens exactly one; it cannot nest, and no network call belongs inside.
 * The work may run several times (a deadlock re-runs it from its start), so it must have no other effect than on `tx`.
 */
export abstract class UnitOfWork {
  abstract readonly dialect: Dialect;
  private checksNesting = true;
  private isClosed = false;
  private underWay = 0;
  private readonly whenIdle: (() => void)[] = [];
  private readonly outage = new OutageWatch();

  /** Runs the work in a write transaction; resolves once it is durable. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.guarded('write', work);
  }

  /**
   * Runs work that only reads, without taking the write lock. On SQL Server it is no transaction: each statement sees what was
   * committed before it began.
   */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.guarded('read', work);
  }

  /** To find nested units, every promise of the process is followed (Node 20), which costs a busy service a tenth of its time. */
  skipNestingCheck(): void {
    this.checksNesting = false;
  }

  /** Each outage is told once when it begins and once when it has ended. */
  onOutage(listener: OutageListener): void {
    this.outage.listen(listener);
  }

  /**
   * A number that changes whenever another process commits, where the engine can tell without a statement; undefined where
   * nothing but a look tells.
   */
  foreignCommits(): number | undefined {
    return undefined;
  }

  /**
   * Refuses what comes from now on. Resolves once everything that is under way has ended, or after so long; tells which. A caller
   * that has hung up is waited for by nobody else, and what it asked for still ends as it should.
   */
  close(withinMs: number): Promise<'idle' | 'busy'> {
    this.isClosed = true;
    if (this.underWay === 0) return Promise.resolve('idle');
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs, 'busy');
      this.whenIdle.push(() => {
        clearTimeout(timer);
        resolve('idle');
      });
    });
  }

  protected abstract transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T>;

  private guarded<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.isClosed) return Promise.reject(databaseClosed());
    if (!this.checksNesting) return this.follow(this.transact(mode, work));
    if (insideUnitOfWork.getStore()) {
      return Promise.reject(
        new Error('A unit of work was opened inside another one; pass its tx on instead'),
      );
    }
    return this.follow(this.transact(mode, (tx) => insideUnitOfWork.run(true, work, tx)));
  }

  private follow<T>(unit: Promise<T>): Promise<T> {
    this.underWay += 1;
    return unit.then(
      (result) => {
        this.ended();
        this.outage.succeeded();
        return result;
      },
      (error: unknown) => {
        this.ended();
        const translated = this.translate(error);
        if (isDatabaseOutage(translated)) this.outage.failed(translated);
        throw translated;
      },
    );
  }

  private ended(): void {
    this.underWay -= 1;
    if (this.underWay === 0) for (const tell of this.whenIdle.splice(0)) tell();
  }

  protected translate(error: unknown): unknown {
    if (error instanceof AppError || !this.dialect.isUnavailable(error)) return error;
    return this.dialect.isLocked(error) ? databaseBusy(error) : databaseUnavailable(error);
  }
}

export type TransactionMode = 'read' | 'write';

/** The work is durable whatever a listener does; its error is nobody's answer, but it must not vanish either. */
export function tellListeners(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (error) {
      process.emitWarning(`A listener failed after a commit: ${String(error)}`);
    }
  }
}
