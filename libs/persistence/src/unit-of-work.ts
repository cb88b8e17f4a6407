import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@malote/app-error';
import { type Dialect } from './dialect.ts';
import { type Tx } from './tx.ts';

const insideUnitOfWork = new AsyncLocalStorage<true>();

/**
 * The only way to the database. A use case opens exactly one; it cannot nest, and no network call belongs inside.
 * The work may run several times (a deadlock re-runs it from its start), so it must have no other effect than on `tx`.
 */
export abstract class UnitOfWork {
  abstract readonly dialect: Dialect;
  private checksNesting = true;

  /** Runs the work in a write transaction; resolves once it is durable. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.guarded('write', work);
  }

  /** Runs the work without taking the write lock. On SQL Server each statement sees what was committed before it began. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.guarded('read', work);
  }

  /** To find nested units, every promise of the process is followed (Node 20), which costs a busy service a tenth of its time. */
  skipNestingCheck(): void {
    this.checksNesting = false;
  }

  /**
   * A number that changes whenever another process commits, where the engine can tell without a statement; undefined where
   * nothing but a look tells.
   */
  foreignCommits(): number | undefined {
    return undefined;
  }

  protected abstract transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T>;

  private guarded<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!this.checksNesting) return this.transact(mode, work).catch(this.translate);
    if (insideUnitOfWork.getStore()) {
      return Promise.reject(
        new Error('A unit of work was opened inside another one; pass its tx on instead'),
      );
    }
    return this.transact(mode, (tx) => insideUnitOfWork.run(true, work, tx)).catch(this.translate);
  }

  private readonly translate = (error: unknown): never => {
    if (error instanceof AppError || !this.dialect.isUnavailable(error)) throw error;
    throw new AppError('unavailable', 'database-unavailable', 'The database does not answer', {
      retryAfterSeconds: 5,
      cause: error,
    });
  };
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
