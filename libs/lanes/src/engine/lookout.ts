import { asDate, type UnitOfWork } from '@malote/persistence';
import { type LaneStore } from '../lane/lane-store.ts';

export interface DueTarget {
  /** Empty for a lane without targets. */
  readonly target: string;
  /** How long until its first row is due; zero or less: now. */
  readonly dueInMs: number;
}

/** One look for all lanes of a process, in one statement: which targets have rows, and when the first of them is due. */
export class Lookout {
  private readonly sql: string;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly stores: readonly LaneStore[],
  ) {
    this.sql = uow.dialect.groupMinima(
      stores.map(({ lane, sql }) => ({
        table: lane.table,
        group: lane.target,
        value: lane.columns.nextAttemptAt,
        where: (row: string) => sql.live(row),
      })),
    );
  }

  /** In the order of the stores; of each lane the target that waits longest first. */
  async look(): Promise<DueTarget[][]> {
    const found: DueTarget[][] = this.stores.map(() => []);
    if (found.length === 0) return found;
    const rows = await this.uow.read((tx) =>
      tx.query<{ Source: number; GroupKey: string; Smallest: unknown; Now: unknown }>(this.sql),
    );
    for (const { Source, GroupKey, Smallest, Now } of rows) {
      const [due, now] = [asDate(Smallest), asDate(Now)];
      if (due && now) found[Source]?.push({ target: GroupKey, dueInMs: due.getTime() - now.getTime() });
    }
    for (const targets of found) targets.sort((a, b) => a.dueInMs - b.dueInMs);
    return found;
  }
}
