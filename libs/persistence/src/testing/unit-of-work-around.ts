import { type Tx } from '../tx.ts';
import { type TransactionMode, UnitOfWork } from '../unit-of-work.ts';

/**
 * Passes everything on to another unit of work; a spec changes what it wants to try. An object derived from the other one would not
 * do: two objects, each with a state of its own, would share one connection.
 */
export class UnitOfWorkAround extends UnitOfWork {
  constructor(private readonly inner: UnitOfWork) {
    super();
    // The inner one looks after that.
    this.skipNestingCheck();
  }

  get dialect() {
    return this.inner.dialect;
  }

  override foreignCommits(): number | undefined {
    return this.inner.foreignCommits();
  }

  /** What the work gets to see. */
  protected around(tx: Tx, mode: TransactionMode): Tx;
  protected around(tx: Tx): Tx {
    return tx;
  }

  protected transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const passing = (tx: Tx) => work(this.around(tx, mode));
    return mode === 'write' ? this.inner.run(passing) : this.inner.read(passing);
  }
}
