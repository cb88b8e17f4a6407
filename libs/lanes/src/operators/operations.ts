import { AppError } from '@malote/app-error';
import { type SqlParameters, type Tx, type UnitOfWork } from '@malote/persistence';
import { SMALL_BATCH } from '../lane/lane-sql.ts';
import { LaneStore } from '../lane/lane-store.ts';
import { type Lane } from '../lane/lane.ts';
import { type Outbox } from '../lane/outbox.ts';
import { targetName } from '../targets/target-name.ts';
import { TargetStore } from '../targets/target-store.ts';
import { ActionLog, type Operator } from './action-log.ts';
import { rowConditions, type RowFilter } from './row-filter.ts';

/** What may be done to messages that gave up. */
type DeadAction = 'replay' | 'discard';

/** What people do to lanes. Whatever they change commits together with the record of who did it, why and to which rows. */
export class Operations {
  private readonly targets: TargetStore;
  private readonly actions = new ActionLog();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
  ) {
    this.targets = new TargetStore(uow);
  }

  /** How many dead rows a replay would put back, or a discard take out. */
  countDead(lane: Lane, filter: RowFilter): Promise<number> {
    return this.uow.read(async (tx) => {
      const { where, parameters } = this.deadRows(lane, filter);
      const [row] = await tx.query<{ Matching: number }>(
        `SELECT COUNT(*) AS Matching FROM ${tx.dialect.table(lane.table)} AS t WHERE ${where}`,
        parameters,
      );
      return row?.Matching ?? 0;
    });
  }

  /**
   * Puts dead rows back with fresh attempts. With `expected`, nothing happens unless so many match. What dies meanwhile is not
   * among them, and what was discarded never is.
   */
  replay(lane: Lane, filter: RowFilter, operator: Operator, expected?: number): Promise<number> {
    return this.eachDead('replay', lane, filter, operator, expected);
  }

  /** Dead rows are not to be delivered any more; those behind them in their order go on without them. */
  discard(lane: Lane, filter: RowFilter, operator: Operator, expected?: number): Promise<number> {
    return this.eachDead('discard', lane, filter, operator, expected);
  }

  /** One row by its id, even a discarded one: who names it knows what comes back. False: it is neither dead nor discarded. */
  replayOne(lane: Lane, id: string, operator: Operator): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const { sql } = new LaneStore(lane, this.uow);
      return (await this.change('replay', tx, lane, [id], {}, operator, (row) => sql.gaveUp(row))) === 1;
    });
  }

  private async eachDead(
    action: DeadAction,
    lane: Lane,
    filter: RowFilter,
    operator: Operator,
    expected: number | undefined,
  ): Promise<number> {
    const ids = await this.deadIds(lane, filter);
    if (expected !== undefined && expected !== ids.length) {
      const message = `${expected} rows of ${lane.name} were expected, and ${ids.length} match`;
      throw new AppError('conflict', 'not-as-expected', message, {
        details: { expected, matching: ids.length },
      });
    }
    const { sql } = new LaneStore(lane, this.uow);
    let changed = 0;
    for (let from = 0; from < ids.length; from += SMALL_BATCH) {
      const some = ids.slice(from, from + SMALL_BATCH);
      changed += await this.uow.run((tx) =>
        this.change(action, tx, lane, some, filter, operator, (row) => sql.dead(row)),
      );
    }
    return changed;
  }

  /** Waits for rows somebody else holds: what was agreed to is done to all of them. */
  private async change(
    action: DeadAction,
    tx: Tx,
    lane: Lane,
    ids: readonly string[],
    filter: RowFilter,
    operator: Operator,
    where: (row: string) => string,
  ): Promise<number> {
    const store = new LaneStore(lane, this.uow);
    const rows = await tx.query<{ Id: unknown }>(
      tx.dialect.update({
        table: lane.table,
        byId: tx.dialect.jsonRows('ids', { Id: 'bigint' }),
        set: (row) => this.assignments(action, lane, row),
        where,
        returning: lane.orderKey ? ['Id', lane.orderKey] : ['Id'],
      }),
      { ids: JSON.stringify(ids.map((Id) => ({ Id }))) },
    );
    if (rows.length === 0) return 0;
    const changed = new Set(rows.map(({ Id }) => String(Id)));
    const inOrder = ids.filter((id) => changed.has(id));
    if (action === 'discard' && lane.orderKey) await store.promote(tx, orderKeysIn(rows, lane.orderKey));
    await lane.mirror?.(tx, inOrder);
    await this.actions.record(tx, lane.name, action, operator, { ...filter, ids: inOrder }, inOrder.length);
    this.outbox.wakeAfter(tx);
    return inOrder.length;
  }

  private assignments(action: DeadAction, lane: Lane, row: string): string {
    const { dialect } = this.uow;
    const { columns: c, states, doubt } = lane;
    const { sql } = new LaneStore(lane, this.uow);
    if (action === 'discard') return `${c.discardedAt} = ${dialect.now}${sql.touch}`;
    const ready = sql.readyAgain(row, dialect.committedRead);
    const asked = doubt ? `${doubt.askCount} = 0, ` : '';
    return (
      `${c.status} = '${states.waiting}', ${c.attemptCount} = 0, ${c.abandonCount} = 0, ${c.leaseOwner} = NULL, ${asked}` +
      `${c.discardedAt} = NULL, ${c.nextAttemptAt} = CASE WHEN ${ready} THEN ${dialect.now} ELSE NULL END${sql.touch}`
    );
  }

  private deadIds(lane: Lane, filter: RowFilter): Promise<string[]> {
    return this.uow.read(async (tx) => {
      const { where, parameters } = this.deadRows(lane, filter);
      const rows = await tx.query<{ Id: unknown }>(
        `SELECT t.Id AS Id FROM ${tx.dialect.table(lane.table)} AS t WHERE ${where} ORDER BY t.Id`,
        parameters,
      );
      return rows.map(({ Id }) => String(Id));
    });
  }

  private deadRows(lane: Lane, filter: RowFilter): { where: string; parameters: SqlParameters } {
    const { and, parameters } = rowConditions(lane, this.uow.dialect, filter);
    return { where: `${new LaneStore(lane, this.uow).sql.dead('t')}${and}`, parameters };
  }

  /** `name` is a target, a group of them (an origin) or `lane:<lane>`. */
  pause(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, targetName(name), operator);
      await this.actions.record(tx, name.slice(0, 100), 'pause', operator, { target: name }, 1);
    });
  }

  resume(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, targetName(name), null);
      await this.actions.record(tx, name.slice(0, 100), 'resume', operator, { target: name }, 1);
      this.outbox.wakeAfter(tx);
    });
  }
}

function orderKeysIn(rows: readonly Readonly<Record<string, unknown>>[], column: string): string[] {
  return rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column]] : []));
}
