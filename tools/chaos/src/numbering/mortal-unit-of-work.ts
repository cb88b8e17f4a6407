import { type Tx, UnitOfWork } from '@malote/persistence';

/** Passes everything on, until it is doomed: then the process ends in the middle of the next transaction. */
export class MortalUnitOfWork extends UnitOfWork {
  private lastStatement: number | undefined;

  constructor(
    private readonly inner: UnitOfWork,
    private readonly die: () => void,
  ) {
    super();
  }

  get dialect() {
    return this.inner.dialect;
  }

  /** The statement that will not be run; a shorter transaction ends before its commit. */
  doom(statement: number): void {
    this.lastStatement = statement;
  }

  protected transact<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    if (mode === 'read') return this.inner.read(work);
    const { lastStatement } = this;
    if (lastStatement === undefined) return this.inner.run(work);
    return this.inner.run(async (tx) => {
      const result = await work(this.dyingAt(tx, lastStatement));
      this.die();
      return result;
    });
  }

  private dyingAt(tx: Tx, lastStatement: number): Tx {
    let statements = 0;
    const count = () => {
      statements += 1;
      if (statements === lastStatement) this.die();
    };
    return {
      ...tx,
      query: (sql, parameters) => {
        count();
        return tx.query(sql, parameters);
      },
      first: (sql, parameters) => {
        count();
        return tx.first(sql, parameters);
      },
      execute: (sql, parameters) => {
        count();
        return tx.execute(sql, parameters);
      },
    };
  }
}
