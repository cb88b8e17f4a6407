import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@malote/app-error';
import { type Tx, UnitOfWork } from '@malote/persistence';

const PAUSE_MS = 250;

/**
 * Asks again while the database is away, as the callers of a service do. A commit whose answer was lost is run again too:
 * everything here may be repeated.
 */
export class PatientUnitOfWork extends UnitOfWork {
  constructor(private readonly inner: UnitOfWork) {
    super();
  }

  get dialect() {
    return this.inner.dialect;
  }

  protected async transact<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await (mode === 'write' ? this.inner.run(work) : this.inner.read(work));
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
        await sleep(PAUSE_MS);
      }
    }
  }
}
