import { AppError } from '@malote/app-error';
import { type Inserted, type SqlParameters, type Tx, type UnitOfWork, varchar } from '@malote/persistence';
import { LaneStore } from './lane-store.ts';
import { type Lane } from './lane.ts';
import { TargetStore } from './target-store.ts';

export interface OutboxMessage {
  readonly messageKey: string;
  readonly targetUrl: string;
  readonly payload: string;
  readonly orderKey?: string | undefined;
  readonly traceParent?: string | undefined;
  /** Business columns of the table. */
  readonly columns?: SqlParameters;
}

export interface Operator {
  readonly actor: string;
  readonly reason: string;
}

export interface ReplayFilter {
  readonly ids?: readonly string[];
  readonly target?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
  readonly errorContains?: string;
}

const REPLAY_BATCH = 500;

/** The writing side of lanes: enqueue in the caller's transaction, and what operators may do. */
export class Outbox {
  private readonly targets: TargetStore;
  private readonly wakers = new Map<string, () => void>();

  constructor(private readonly uow: UnitOfWork) {
    this.targets = new TargetStore(uow);
  }

  /** A worker of this process that wants to hear of new rows. */
  onEnqueued(lane: string, wake: () => void): void {
    this.wakers.set(lane, wake);
  }

  /** To enqueue a key twice is to enqueue it once: the second call returns the first row. */
  async enqueue(tx: Tx, lane: Lane, message: OutboxMessage): Promise<Inserted> {
    const { dialect } = tx;
    const table = dialect.table(lane.table);
    const values: Record<string, SqlParameters[string]> = {
      ...message.columns,
      PayloadJson: message.payload,
      TargetUrl: varchar(message.targetUrl, 500),
      MessageKey: varchar(message.messageKey, 200),
      TraceParent: message.traceParent === undefined ? null : varchar(message.traceParent, 55),
    };
    let due = dialect.now;
    if (message.orderKey !== undefined) {
      // Numbers must follow commit order within a key, and only the key's first unfinished row is due.
      await dialect.lock(tx, `${lane.table}:${message.orderKey}`.slice(0, 255));
      values.OrderKey = varchar(message.orderKey, 200);
      due =
        `CASE WHEN EXISTS (SELECT 1 FROM ${table} AS w ${dialect.lockedRead} WHERE ` +
        `${lane.filter ? `${lane.filter('w')} AND ` : ''}w.OrderKey = @OrderKey AND ` +
        `w.${lane.columns.status} <> '${lane.states.done}') THEN NULL ELSE ${dialect.now} END`;
    }
    const result = await dialect.insertOnce(tx, lane.table, values, 'MessageKey', {
      [lane.columns.nextAttemptAt]: due,
    });
    this.madeDue(tx, lane);
    return result;
  }

  /** Tells a worker of this process, once it is true, that rows of the lane have become due. */
  madeDue(tx: Tx, lane: Lane): void {
    tx.afterCommit(() => this.wakers.get(lane.name)?.());
  }

  /** How many dead rows a replay would put back. */
  previewReplay(lane: Lane, filter: ReplayFilter): Promise<number> {
    return this.uow.read(async (tx) => {
      const { where, parameters } = this.deadRows(lane, filter);
      const [row] = await tx.query<{ Matching: number }>(
        `SELECT COUNT(*) AS Matching FROM ${tx.dialect.table(lane.table)} AS t WHERE ${where}`,
        parameters,
      );
      return row?.Matching ?? 0;
    });
  }

  /** Puts dead rows back with fresh attempts; each batch commits together with the record of who did it and why. */
  async replay(lane: Lane, filter: ReplayFilter, operator: Operator): Promise<number> {
    const { where, parameters } = this.deadRows(lane, filter);
    const { touch } = new LaneStore(lane, this.uow).sql;
    const c = lane.columns;
    let after = '0';
    for (let total = 0; ;) {
      const ids = await this.uow.run(async (tx) => {
        const rows = await tx.query<{ Id: unknown }>(
          tx.dialect.claim({
            table: lane.table,
            set:
              `${c.status} = '${lane.states.waiting}', ${c.attemptCount} = 0, ${c.leaseOwner} = NULL, ` +
              `${c.nextAttemptAt} = ${tx.dialect.now}${touch}`,
            // Forward only: what dies again meanwhile has had its replay.
            where: `${where} AND t.Id > @after`,
            orderBy: 't.Id',
            limit: 'limit',
            returning: ['Id'],
          }),
          { ...parameters, after, limit: REPLAY_BATCH },
        );
        const replayed = rows.map(({ Id }) => String(Id));
        if (replayed.length > 0) {
          await lane.mirror?.(tx, replayed);
          await this.record(tx, lane.name, 'replay', operator, filter, replayed.length);
        }
        this.madeDue(tx, lane);
        return replayed.map(BigInt);
      });
      total += ids.length;
      if (ids.length < REPLAY_BATCH) return total;
      after = String(ids.reduce((largest, id) => (id > largest ? id : largest)));
    }
  }

  /** Takes a dead row out of its order, so that the rows behind it can go on without it. */
  release(lane: Lane, id: string, operator: Operator): Promise<void> {
    const { orderKey } = lane;
    if (!orderKey)
      throw new AppError('invalid', 'lane-has-no-order', `${lane.name} delivers in no particular order`);
    const store = new LaneStore(lane, this.uow);
    return this.uow.run(async (tx) => {
      const [row] = await tx.query<{ OrderKey: string | null }>(
        `SELECT t.${orderKey} AS OrderKey FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.lockedRead} WHERE t.Id = @id AND ${store.sql.dead}`,
        { id },
      );
      if (!row?.OrderKey)
        throw new AppError('conflict', 'not-a-dead-ordered-row', `Row ${id} of ${lane.name} blocks nobody`);
      await tx.execute(`UPDATE ${tx.dialect.table(lane.table)} SET ${orderKey} = NULL WHERE Id = @id`, {
        id,
      });
      await store.promote(tx, [row.OrderKey]);
      await this.record(tx, lane.name, 'release', operator, { ids: [id] }, 1);
      this.madeDue(tx, lane);
    });
  }

  /** `name` is a target group (an origin) or `lane:<lane>`. */
  pause(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, name, operator);
      await this.record(tx, name.slice(0, 100), 'pause', operator, { target: name }, 1);
    });
  }

  resume(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, name, null);
      await this.record(tx, name.slice(0, 100), 'resume', operator, { target: name }, 1);
      tx.afterCommit(() => {
        for (const wake of this.wakers.values()) wake();
      });
    });
  }

  private deadRows(
    lane: Lane,
    filter: ReplayFilter,
  ): { where: string; parameters: Record<string, SqlParameters[string]> } {
    const { ids, target, createdFrom, createdTo, errorContains } = filter;
    const parameters: Record<string, SqlParameters[string]> = {};
    let where = new LaneStore(lane, this.uow).sql.dead;
    const add = (name: string, value: SqlParameters[string], condition: string) => {
      parameters[name] = value;
      where += ` AND ${condition}`;
    };
    if (ids) {
      const rows = this.uow.dialect.jsonRows('ids', { Id: 'bigint' });
      add('ids', JSON.stringify(ids.map((Id) => ({ Id }))), `t.Id IN (SELECT j.Id FROM ${rows} AS j)`);
    }
    if (target !== undefined && lane.target)
      add('target', varchar(target, 500), `t.${lane.target} = @target`);
    if (createdFrom) add('createdFrom', createdFrom, 't.CreatedAt >= @createdFrom');
    if (createdTo) add('createdTo', createdTo, 't.CreatedAt < @createdTo');
    if (errorContains)
      add(
        'pattern',
        `%${errorContains.replace(/[[%_\\]/g, '\\$&')}%`,
        `t.${lane.columns.lastError} LIKE @pattern ESCAPE '\\'`,
      );
    return { where, parameters };
  }

  private async record(
    tx: Tx,
    lane: string,
    action: 'replay' | 'release' | 'pause' | 'resume',
    { actor, reason }: Operator,
    selection: ReplayFilter,
    affectedCount: number,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO ${tx.dialect.table('TB_OUTBOX_ACTIONS')} (Lane, Action, Actor, Reason, Selection, AffectedCount) ` +
        `VALUES (@lane, @action, @actor, @reason, @selection, @affectedCount)`,
      { lane, action, actor, reason, selection: JSON.stringify(selection), affectedCount },
    );
  }
}
