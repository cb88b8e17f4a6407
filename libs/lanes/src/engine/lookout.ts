import { asDate, type UnitOfWork } from '@malote/persistence';
import { type LaneStore } from '../lane/lane-store.ts';
import { concernsEverything } from './trouble.ts';

export interface DueTarget {
  /** Empty for a lane without targets. */
  readonly target: string;
  /** How long until its first row is due; zero or less: now. */
  readonly dueInMs: number;
}

/** Which targets of each lane have rows, and when the first of them is due. */
export class Lookout {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly stores: readonly LaneStore[],
    private readonly troubled: (lane: string, error: unknown) => void,
  ) {}

  /**
   * One look for all lanes, in one statement; in the order of the stores, of each lane the target that waits longest first. When it
   * fails, halves find the lane that is in trouble, and the others are served.
   */
  async look(stores = this.stores): Promise<DueTarget[][]> {
    if (stores.length === 0) return [];
    try {
      return await this.lookAtAll(stores);
    } catch (error) {
      if (concernsEverything(error)) throw error;
      const [only] = stores;
      if (stores.length === 1 && only) {
        this.troubled(only.lane.name, error);
        return [[]];
      }
      const half = Math.ceil(stores.length / 2);
      return [...(await this.look(stores.slice(0, half))), ...(await this.look(stores.slice(half)))];
    }
  }

  private async lookAtAll(stores: readonly LaneStore[]): Promise<DueTarget[][]> {
    const found: DueTarget[][] = stores.map(() => []);
    const statement = this.uow.dialect.groupMinima(
      stores.map(({ lane, sql }) => ({
        table: lane.table,
        group: lane.target,
        value: lane.columns.nextAttemptAt,
        where: (row: string) => sql.live(row),
      })),
    );
    const rows = await this.uow.read((tx) =>
      tx.query<{ Source: number; GroupKey: string; Smallest: unknown; Now: unknown }>(statement),
    );
    for (const { Source, GroupKey, Smallest, Now } of rows) {
      const [due, now] = [asDate(Smallest), asDate(Now)];
      if (due && now) found[Source]?.push({ target: GroupKey, dueInMs: due.getTime() - now.getTime() });
    }
    for (const targets of found) targets.sort((a, b) => a.dueInMs - b.dueInMs);
    return found;
  }
}
