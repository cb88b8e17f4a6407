import { type Dialect } from '@malote/persistence';
import { type Lane, type LaneMessage } from './lane.ts';

/** How a settled row ends: `refund` puts it back as if it had never been tried. */
export type Verdict = 'done' | 'retry' | 'dead' | 'refund';

export interface Settlement {
  readonly message: LaneMessage;
  readonly verdict: Verdict;
  readonly delayMs: number;
  readonly error: string | null;
}

/** The statements of one lane, built once: constant text keeps the engines' plan caches warm. */
export class LaneSql {
  readonly claim: string;
  readonly settle: string;
  readonly renew: string;
  readonly promote: string;
  readonly adopt: string;
  readonly peek: string;
  readonly purge: string;

  constructor(
    private readonly lane: Lane,
    private readonly dialect: Dialect,
  ) {
    this.claim = this.buildClaim();
    this.settle = this.buildSettle();
    this.renew = this.buildRenew();
    this.promote = this.buildPromote();
    this.adopt = this.buildAdopt();
    this.peek = this.buildPeek();
    this.purge = this.buildPurge();
  }

  /** Rows a worker may ever take; the lane's filtered index holds exactly these. */
  get live(): string {
    const { columns, states } = this.lane;
    return `${this.mine('t')}t.${columns.nextAttemptAt} IS NOT NULL AND t.${columns.status} <> '${states.done}'`;
  }

  get dead(): string {
    const { columns, states } = this.lane;
    return `${this.mine('t')}t.${columns.status} = '${states.failed}' AND t.${columns.nextAttemptAt} IS NULL`;
  }

  /** The status of a row in more words than its column has: `dead` gave up, `parked` waits for another row. */
  get state(): string {
    const { columns: c, states } = this.lane;
    return (
      `CASE WHEN t.${c.nextAttemptAt} IS NOT NULL OR t.${c.status} = '${states.done}' THEN t.${c.status} ` +
      `WHEN t.${c.status} = '${states.failed}' THEN '${DEAD}' ELSE '${PARKED}' END`
    );
  }

  /** The words of `state`. */
  get stateNames(): string[] {
    return [...Object.values(this.lane.states), DEAD, PARKED];
  }

  /** Rows of which `state` says the given word. */
  inState(name: string): string {
    const { columns: c, states } = this.lane;
    const waits = `t.${c.nextAttemptAt} IS NOT NULL`;
    if (name === DEAD) return this.dead;
    if (name === states.done) return `${this.mine('t')}t.${c.status} = '${states.done}'`;
    if (name !== PARKED) return `${this.mine('t')}t.${c.status} = '${name}' AND ${waits}`;
    return `${this.mine('t')}t.${c.status} NOT IN ('${states.done}', '${states.failed}') AND NOT ${waits}`;
  }

  /** Rows of this lane among those of its table, as the beginning of a condition. */
  mine(alias: string): string {
    return this.lane.filter ? `${this.lane.filter(alias)} AND ` : '';
  }

  /** To be added to assignments that change what a row says of itself. */
  get touch(): string {
    const { updatedAt } = this.lane.columns;
    return updatedAt ? `, ${updatedAt} = ${this.dialect.now}` : '';
  }

  /** When a waiting row may become due. */
  ready(alias: string, hint: string): string {
    const { table, columns: c, states, orderKey, ready } = this.lane;
    if (ready) return ready(alias, this.dialect, hint);
    if (!orderKey) return '1 = 1';
    return (
      `(${alias}.${orderKey} IS NULL OR NOT EXISTS (SELECT 1 FROM ${this.dialect.table(table)} AS w ${hint} ` +
      `WHERE ${this.mine('w')}w.${orderKey} = ${alias}.${orderKey} AND w.Id < ${alias}.Id AND w.${c.status} <> '${states.done}'))`
    );
  }

  get returned(): string[] {
    const { columns, target, messageKey, orderKey, payload } = this.lane;
    const names = ['Id', 'CreatedAt', 'TraceParent', columns.attemptCount, columns.lastError];
    for (const optional of [target, messageKey, orderKey]) if (optional) names.push(optional);
    return [...new Set([...names, ...payload])];
  }

  private buildClaim(): string {
    const { lane, dialect } = this;
    const c = lane.columns;
    const target = lane.target ? ` AND t.${lane.target} = @target` : '';
    return dialect.claim({
      table: lane.table,
      // An owner that is still there never settled: the note tells the next worker, and whoever looks.
      set:
        `${c.lastError} = CASE WHEN t.${c.leaseOwner} IS NULL THEN t.${c.lastError} ` +
        `WHEN t.${c.lastError} LIKE '${ABANDONED}%' OR t.${c.lastError} LIKE '${ABANDONED_AGAIN}%' ` +
        `THEN CONCAT('${ABANDONED_AGAIN}', t.${c.leaseOwner}) ELSE CONCAT('${ABANDONED}', t.${c.leaseOwner}) END, ` +
        `${c.status} = '${lane.states.working}', ${c.attemptCount} = t.${c.attemptCount} + 1, ` +
        `${c.leaseOwner} = @owner, ${c.lastAttemptAt} = ${dialect.now}, ${c.nextAttemptAt} = ${dialect.nowPlusMs('@leaseMs')}` +
        this.touch,
      where: `${this.live}${target} AND t.${c.nextAttemptAt} <= ${dialect.now}`,
      orderBy: `t.${c.nextAttemptAt}, t.Id`,
      limit: 'limit',
      returning: this.returned,
    });
  }

  private buildSettle(): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    return dialect.update({
      table: lane.table,
      from: dialect.jsonRows('rows', {
        Id: 'bigint',
        Owner: 'varchar(100)',
        Verdict: 'varchar(10)',
        DelayMs: 'int',
        Error: 'nvarchar(2000)',
      }),
      set:
        `${c.status} = CASE r.Verdict WHEN 'done' THEN '${states.done}' WHEN 'refund' THEN '${states.waiting}' ELSE '${states.failed}' END, ` +
        `${c.attemptCount} = t.${c.attemptCount} - CASE r.Verdict WHEN 'refund' THEN 1 ELSE 0 END, ` +
        `${c.sentAt} = CASE r.Verdict WHEN 'done' THEN ${dialect.now} ELSE t.${c.sentAt} END, ` +
        `${c.lastError} = r.Error, ${c.leaseOwner} = NULL, ` +
        `${c.nextAttemptAt} = CASE WHEN r.Verdict IN ('done', 'dead') THEN NULL ELSE ${dialect.nowPlusMs('r.DelayMs')} END` +
        this.touch,
      where: `t.Id = r.Id AND t.${c.leaseOwner} = r.Owner`,
      returning: ['Id'],
    });
  }

  private buildRenew(): string {
    const { lane, dialect } = this;
    const c = lane.columns;
    return dialect.update({
      table: lane.table,
      from: dialect.jsonRows('rows', { Id: 'bigint', Owner: 'varchar(100)' }),
      set: `${c.nextAttemptAt} = ${dialect.nowPlusMs('@leaseMs')}`,
      where: `t.Id = r.Id AND t.${c.leaseOwner} = r.Owner`,
      returning: ['Id'],
    });
  }

  /** Only the first unfinished row of an order key is ever due; when it is delivered the next one becomes due. */
  private buildPromote(): string {
    const { lane, dialect } = this;
    const { columns: c, states, orderKey } = lane;
    if (!orderKey) return '';
    return dialect.update({
      table: lane.table,
      set: `${c.nextAttemptAt} = ${dialect.now}`,
      where:
        `t.${c.status} = '${states.waiting}' AND t.${c.nextAttemptAt} IS NULL AND t.Id IN (SELECT MIN(w.Id) ` +
        `FROM ${dialect.jsonRows('keys', { OrderKey: 'varchar(250)' })} AS k ` +
        `JOIN ${dialect.table(lane.table)} AS w ${dialect.committedRead} ON w.${orderKey} = k.OrderKey ` +
        `WHERE ${this.mine('w')}w.${c.status} <> '${states.done}' GROUP BY w.${orderKey})`,
      returning: ['Id'],
    });
  }

  /** No claim: rows that stay parked must not be locked on the way, there may be a day's worth; and to adopt twice does no harm. */
  private buildAdopt(): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    const isForgotten = `t.${c.status} = '${states.waiting}' AND t.${c.nextAttemptAt} IS NULL`;
    const ready = dialect.top(
      SMALL_BATCH,
      `t.Id FROM ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} WHERE ${this.mine('t')}${isForgotten} ` +
        `AND ${this.ready('t', dialect.committedRead)} ORDER BY t.Id`,
    );
    return dialect.update({
      table: lane.table,
      set: `${c.nextAttemptAt} = ${dialect.now}`,
      where: `${isForgotten} AND t.Id IN (${ready})`,
      returning: ['Id'],
    });
  }

  private buildPeek(): string {
    const { lane, dialect } = this;
    const value = lane.columns.nextAttemptAt;
    if (lane.target)
      return dialect.groupMinimum({ table: lane.table, group: lane.target, value, where: this.live });
    return (
      `SELECT '' AS GroupKey, MIN(t.${value}) AS Smallest, ${dialect.now} AS Now ` +
      `FROM ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} WHERE ${this.live}`
    );
  }

  private buildPurge(): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    const cutOff = dialect.nowPlusSeconds('@minusSeconds');
    const old = dialect.top(
      SMALL_BATCH,
      `t.Id FROM ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} WHERE ${this.mine('t')}` +
        // The index knows when a row was made; how long it has been delivered is what counts.
        `t.${c.status} = '${states.done}' AND t.CreatedAt < ${cutOff} AND t.${c.sentAt} < ${cutOff}`,
    );
    return `DELETE FROM ${dialect.table(lane.table)} WHERE Id IN (${old})`;
  }
}

const DEAD = 'dead';
const PARKED = 'parked';
export const ABANDONED = 'abandoned by ';
export const ABANDONED_AGAIN = 'abandoned again by ';
/** Small enough never to escalate to a table lock. */
export const SMALL_BATCH = 500;
