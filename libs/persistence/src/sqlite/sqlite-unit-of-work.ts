import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Tx } from '../tx.ts';
import { type TransactionMode, UnitOfWork } from '../unit-of-work.ts';
import { Watchdog } from './watchdog.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { type SqliteSession } from './sqlite-session.ts';

interface Job {
  readonly mode: TransactionMode;
  run(session: SqliteSession): Promise<Settle>;
  reject(error: unknown): void;
}

/** Tells the caller; only called once the outcome is durable. */
type Settle = () => void;

const MAX_SHARED = 200;
const MAX_SHARED_MS = 10;
const MAX_GATHER_MS = 5;
const LOCK_WAIT_MS = 20_000;
const WORK_TIMEOUT_MS = 30_000;
const EAGER_MS = 200;
/** Reading begins with the first statement, which may find another process repairing the log. */
const BEGIN_READ = 'BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1';

/**
 * TypeORM shares one SQLite connection, on which overlapping transactions lose rows. Here work waits in a FIFO queue,
 * and whatever waits shares one commit: each unit runs behind its own savepoint, and nobody is answered before the
 * commit is on disk. One fsync then serves many callers instead of one.
 */
export class SqliteUnitOfWork extends UnitOfWork {
  readonly dialect = sqliteDialect;
  private readonly waiting: Job[] = [];
  private draining = false;
  private session: SqliteSession | undefined;
  private readonly watchdog = new Watchdog(WORK_TIMEOUT_MS);

  constructor(private readonly connect: () => Promise<SqliteSession>) {
    super();
  }

  override foreignCommits(): number | undefined {
    try {
      return this.session?.dataVersion;
    } catch (error) {
      // Another process may be repairing the log.
      throw this.translate(error);
    }
  }

  protected transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({
        mode,
        reject,
        run: async (session) => {
          const { tx, committed, revoke } = session.openTx();
          try {
            const result = await this.watchdog.watch(work(tx));
            return () => {
              committed();
              resolve(result);
            };
          } finally {
            this.watchdog.rest();
            revoke();
          }
        },
      });
      if (!this.draining) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.waiting.length > 0) {
      await this.gather();
      await this.commitTogether();
    }
    this.draining = false;
  }

  /** A commit costs as much as dozens of units: as long as every turn of the event loop brings more, they get to share it. */
  private async gather(): Promise<void> {
    const until = performance.now() + MAX_GATHER_MS;
    for (let before = 0; this.waiting.length > before && this.waiting.length < MAX_SHARED;) {
      before = this.waiting.length;
      await nextTurn();
      if (performance.now() > until) return;
    }
  }

  private async commitTogether(): Promise<void> {
    const mode = this.waiting[0]?.mode ?? 'read';
    let session: SqliteSession;
    try {
      session = await this.connect();
      this.session = session;
      await begin(session, mode);
    } catch (error) {
      for (const job of this.waiting.splice(0)) job.reject(error);
      return;
    }
    const done: { job: Job; settle: Settle }[] = [];
    try {
      const until = performance.now() + MAX_SHARED_MS;
      do {
        const job = this.waiting.shift();
        if (!job) break;
        const settle = await runBehindSavepoint(session, job, done.length > 0);
        if (settle) done.push({ job, settle });
      } while (
        done.length > 0 &&
        done.length < MAX_SHARED &&
        performance.now() < until &&
        (mode === 'write' || this.waiting[0]?.mode === 'read')
      );
      if (done.length > 0) session.exec('COMMIT');
    } catch (error) {
      session.rollBack();
      for (const { job } of done) job.reject(error);
      return;
    }
    for (const { settle } of done) settle();
  }
}

/** The first unit of a commit needs no savepoint: if it fails there is nothing to protect. */
async function runBehindSavepoint(
  session: SqliteSession,
  job: Job,
  protect: boolean,
): Promise<Settle | undefined> {
  if (protect) session.exec('SAVEPOINT unit');
  try {
    const settle = await job.run(session);
    if (protect) session.exec('RELEASE unit');
    return settle;
  } catch (error) {
    job.reject(error);
    // A full disk ends the transaction of all who share it, not of this unit alone.
    if (!session.inTransaction) throw error;
    if (protect) {
      session.exec('ROLLBACK TO unit');
      session.exec('RELEASE unit');
    } else {
      session.rollBack();
    }
    return undefined;
  }
}

/**
 * Other processes hold the lock for milliseconds. Waiting for it must not block the event loop; and whoever asks less often
 * than a holder comes back for more is starved by it, so it is asked for often, until somebody seems to be stuck with it.
 */
async function begin(session: SqliteSession, mode: TransactionMode): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      session.exec(mode === 'write' ? 'BEGIN IMMEDIATE' : BEGIN_READ);
      return;
    } catch (error) {
      const waitedMs = performance.now() - began;
      // Nothing else is asked of a connection that may have been closed: the driver ends the process for it.
      if (!sqliteDialect.isTransient(error)) throw error;
      session.rollBack();
      if (waitedMs > LOCK_WAIT_MS) throw error;
      await sleep(waitedMs < EAGER_MS ? 1 : 5 + Math.random() * 5);
    }
  }
}
