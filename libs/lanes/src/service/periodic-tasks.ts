import { randomUUID } from 'node:crypto';
import { type UnitOfWork, varchar } from '@malote/persistence';
import { shortName } from '../targets/target-name.ts';

const MAX_NAME = 100;

/** Every replica's timer fires; the database lets one of them do the work of each period. */
export class PeriodicTasks {
  private readonly self = `${process.pid}:${randomUUID()}`;

  constructor(private readonly uow: UnitOfWork) {}

  async once(name: string, everyMs: number, work: () => Promise<unknown>): Promise<boolean> {
    const ours = await this.uow.run(async (tx) => {
      const who = { name: varchar(shortName(name, MAX_NAME), MAX_NAME), self: varchar(this.self, 100) };
      const { inserted } = await tx.dialect.insertOnce(
        tx,
        'TB_PERIODIC_TASKS',
        { Name: who.name, StartedBy: who.self },
        'Name',
      );
      if (inserted) return true;
      const taken = await tx.execute(
        `UPDATE ${tx.dialect.table('TB_PERIODIC_TASKS')} SET StartedAt = ${tx.dialect.now}, StartedBy = @self ` +
          `WHERE Name = @name AND StartedAt <= ${tx.dialect.nowPlusMs('@minusMs')}`,
        // Timers drift; a tenth keeps a period from being skipped.
        { ...who, minusMs: -Math.round(everyMs * 0.9) },
      );
      return taken === 1;
    });
    if (ours) await work();
    return ours;
  }
}
