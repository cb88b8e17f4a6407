import { type Tx, UnitOfWork } from '@malote/persistence';

/** Passes everything on and tells of each statement. */
export class CountingUnitOfWork extends UnitOfWork {
  constructor(
    private readonly inner: UnitOfWork,
    private readonly onStatement: () => void,
  ) {
    super();
  }

  get dialect() {
    return this.inner.dialect;
  }

  protected transact<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    const counted = (tx: Tx) => work(this.count(tx));
    return mode === 'write' ? this.inner.run(counted) : this.inner.read(counted);
  }

  private count(tx: Tx): Tx {
    return {
      ...tx,
      query: (sql, parameters) => {
        this.onStatement();
        return tx.query(sql, parameters);
      },
      execute: (sql, parameters) => {
        this.onStatement();
        return tx.execute(sql, parameters);
      },
    };
  }
}
