import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane } from '@malote/lanes';
import { type SqlParameters, type UnitOfWork, varchar } from '@malote/persistence';

/** A sink that asks for patience keeps everybody idle for a second or two. */
const AIM_MS = 3_000;

/** The lane's table as an operator would look at it. */
export class LaneRows {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly lane: Lane,
  ) {}

  async clear(): Promise<void> {
    await this.uow.run(async (tx) => {
      await tx.execute(`DELETE FROM ${tx.dialect.table(this.lane.table)}`);
      await tx.execute(`DELETE FROM ${tx.dialect.table('TB_OUTBOX_TARGETS')}`);
    });
  }

  /** Rows a process is holding, dead or alive: its id is part of the lease owner's name. */
  heldBy(pid: number): Promise<number> {
    return this.count(`t.NextAttemptAt IS NOT NULL AND t.Status <> 'Sent' AND t.LeaseOwner LIKE @owner`, {
      owner: varchar(`%:${pid}:%`, 100),
    });
  }

  /** The process that holds the most rows; waits a little for one that holds any. */
  async busiest(pids: () => readonly number[]): Promise<number | undefined> {
    const until = performance.now() + AIM_MS;
    while (performance.now() < until) {
      const held = await Promise.all(pids().map(async (pid) => ({ pid, rows: await this.heldBy(pid) })));
      const [most] = held.toSorted((a, b) => b.rows - a.rows);
      if (most && most.rows > 0) return most.pid;
      await sleep(10);
    }
    return undefined;
  }

  async isSent(messageKey: string): Promise<boolean> {
    const found = await this.count(
      `t.MessageKey IS NOT NULL AND t.MessageKey = @messageKey AND t.Status = 'Sent'`,
      { messageKey: varchar(messageKey, 200) },
    );
    return found > 0;
  }

  unfinished(): Promise<number> {
    return this.count(`t.Status <> 'Sent'`);
  }

  private count(where: string, parameters: SqlParameters = {}): Promise<number> {
    return this.uow.read(async (tx) => {
      const [row] = await tx.query<{ Found: number }>(
        `SELECT COUNT(*) AS Found FROM ${tx.dialect.table(this.lane.table)} AS t ${tx.dialect.monitoringRead} WHERE ${where}`,
        parameters,
      );
      return row?.Found ?? 0;
    });
  }
}
