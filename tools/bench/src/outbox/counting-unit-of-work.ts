import { type Tx, UnitOfWork } from '@malote/persistence';

export interface Counting {
  onStatement(): void;
  /** False: as SQL Server, where nothing but a look tells that another process has committed. */
  readonly hearsOfCommits: boolean;
}

/** Passes everything on and tells of each statement. */
export class CountingUnitOfWork extends UnitOfWork {
  constructor(
    private readonly inner: UnitOfWork,
    private readonly counting: Counting,
  ) {
    super();
    // The inner one looks after that.
    this.skipNestingCheck();
  }

  get dialect() {
    return this.inner.dialect;
  }

  override foreignCommits(): number | undefined {
    return this.counting.hearsOfCommits ? this.inner.foreignCommits() : undefined;
  }

  protected transact<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    const counted = (tx: Tx) => work(this.count(tx));
    return mode === 'write' ? this.inner.run(counted) : this.inner.read(counted);
  }

  private count(tx: Tx): Tx {
    const { counting } = this;
    return {
      ...tx,
      query: (sql, parameters) => {
        counting.onStatement();
        return tx.query(sql, parameters);
      },
      first: (sql, parameters) => {
        counting.onStatement();
        return tx.first(sql, parameters);
      },
      execute: (sql, parameters) => {
        counting.onStatement();
        return tx.execute(sql, parameters);
      },
    };
  }
}
