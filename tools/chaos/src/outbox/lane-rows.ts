import { setTimeout as sleep } from 'node:timers/promises';
import { type UnitOfWork } from '@malote/persistence';
import { lane } from './message.ts';

/** The lane's table as an operator would look at it. */
export class LaneRows {
  constructor(private readonly uow: UnitOfWork) {}

  async clear(): Promise<void> {
    await this.uow.run(async (tx) => {
      await tx.execute(`DELETE FROM ${tx.dialect.table(lane.table)}`);
      await tx.execute(`DELETE FROM ${tx.dialect.table('TB_OUTBOX_TARGETS')}`);
    });
  }

  /** Keys of the rows a process is holding, dead or alive: its id is part of the lease owner's name. */
  heldBy(pid: number): Promise<string[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ MessageKey: string }>(
        `SELECT t.MessageKey AS MessageKey FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.monitoringRead} ` +
          `WHERE t.NextAttemptAt IS NOT NULL AND t.Status <> 'Sent' AND t.LeaseOwner LIKE @owner`,
        { owner: `%:${pid}:%` },
      );
      return rows.map(({ MessageKey }) => MessageKey);
    });
  }

  /** The process that holds the most rows; waits a little for one that holds any. */
  async busiest(pids: readonly number[]): Promise<number | undefined> {
    for (let tries = 0; tries < 100; tries += 1) {
      const held = await Promise.all(
        pids.map(async (pid) => ({ pid, rows: (await this.heldBy(pid)).length })),
      );
      const [most] = held.toSorted((a, b) => b.rows - a.rows);
      if (most && most.rows > 0) return most.pid;
      await sleep(10);
    }
    return undefined;
  }

  unfinished(): Promise<number> {
    return this.uow.read(async (tx) => {
      const [row] = await tx.query<{ Unfinished: number }>(
        `SELECT COUNT(*) AS Unfinished FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.monitoringRead} WHERE t.Status <> 'Sent'`,
      );
      return row?.Unfinished ?? 0;
    });
  }
}
