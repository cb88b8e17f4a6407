import { type ClaimStatement, type Dialect } from '@malote/persistence';
import { DEAD, IN_DOUBT, LaneConditions, PARKED } from './lane-conditions.ts';
import { type Lane } from './lane.ts';

/** Small enough never to escalate to a table lock. */
export const SMALL_BATCH = 500;
/** Monitoring counts no farther: of what is dead, and of what is parked. */
export const MAX_COUNTED = 10_000;

const built = new WeakMap<Lane, Map<Dialect, LaneSql>>();

/** The statements of one lane, built once: constant text keeps the engines' plan caches warm. */
export function laneSql(lane: Lane, dialect: Dialect): LaneSql {
  const ofLane = built.get(lane) ?? new Map<Dialect, LaneSql>();
  const sql = ofLane.get(dialect) ?? new LaneSql(lane, dialect);
  built.set(lane, ofLane.set(dialect, sql));
  return sql;
}

export class LaneSql extends LaneConditions {
  readonly claim: string;
  readonly settle: string;
  readonly renew: string;
  readonly taken: string;
  readonly promote: string;
  readonly adopt: string;
  readonly slice: string;
  readonly depth: string;
  readonly purge: string;
  private readonly dueTimes = new Map<string | null, string>();

  constructor(lane: Lane, dialect: Dialect) {
    super(lane, dialect);
    this.claim = this.buildClaim();
    this.settle = this.buildSettle();
    this.renew = this.buildRenew();
    this.taken = this.buildTaken();
    this.promote = this.buildPromote();
    this.adopt = this.buildAdopt();
    this.slice = this.buildSlice();
    this.depth = this.buildDepth();
    this.purge = this.buildPurge();
  }

  /** The due time of a new row, given its order key as SQL: only the first unfinished row of a key is ever due. */
  dueAtEnqueue(orderKey: string | null): string {
    const known = this.dueTimes.get(orderKey);
    if (known !== undefined) return known;
    const { lane, dialect } = this;
    const unfinished =
      `SELECT 1 FROM ${dialect.table(lane.table)} AS w ${dialect.lockedRead} ` +
      `WHERE ${this.inOrder('w')} AND w.${lane.orderKey ?? ''} = ${orderKey ?? ''}`;
    const due =
      orderKey === null ? dialect.now : `CASE WHEN EXISTS (${unfinished}) THEN NULL ELSE ${dialect.now} END`;
    this.dueTimes.set(orderKey, due);
    return due;
  }

  get returned(): string[] {
    const { columns, doubt, target, messageKey, orderKey, payload } = this.lane;
    const names = ['Id', 'CreatedAt', 'TraceParent', columns.attemptCount, columns.abandonCount];
    if (doubt) names.push(doubt.askCount, doubt.absentSince, columns.lastAttemptAt);
    for (const optional of [target, messageKey, orderKey]) if (optional) names.push(optional);
    return [...new Set([...names, ...payload])];
  }

  private buildClaim(): string {
    const { lane, dialect } = this;
    const { columns: c, states, target } = lane;
    const statement: ClaimStatement = {
      table: lane.table,
      set: (row) =>
        // An owner that is still there never settled: its worker has vanished.
        `${c.abandonCount} = ${row}.${c.abandonCount} + CASE WHEN ${row}.${c.leaseOwner} IS NULL THEN 0 ELSE 1 END, ` +
        `${c.lastError} = CASE WHEN ${row}.${c.leaseOwner} IS NULL THEN ${row}.${c.lastError} ` +
        `ELSE CONCAT('abandoned by ', ${row}.${c.leaseOwner}) END, ` +
        `${c.attemptCount} = ${row}.${c.attemptCount} + ${this.isNewAttempt(row)}, ${this.doubtAtClaim(row)}` +
        `${c.status} = '${states.working}', ${c.leaseOwner} = @owner, ${c.lastAttemptAt} = ${dialect.now}, ` +
        `${c.nextAttemptAt} = ${dialect.nowPlusMs('@leaseMs')}${this.touch}`,
      where: (row) => `${this.live(row)} AND ${row}.${c.nextAttemptAt} <= ${dialect.now}`,
      orderBy: (row) => `${row}.${c.nextAttemptAt}, ${row}.Id`,
      limit: 'limit',
      returning: this.returned,
    };
    return dialect.claim(
      target ? { ...statement, groups: { column: target, parameter: 'targets' } } : statement,
    );
  }

  /** Neither a question nor the attempt of a worker that has vanished, which stays the same attempt: what they burn is another count. */
  private isNewAttempt(row: string): string {
    const { doubt, columns } = this.lane;
    return `CASE WHEN ${row}.${doubt?.inDoubtSince ?? columns.leaseOwner} IS NULL THEN 1 ELSE 0 END`;
  }

  /** A row that is in doubt is claimed to ask about it; any other one is in doubt from now on. */
  private doubtAtClaim(row: string): string {
    const { doubt } = this.lane;
    const { now } = this.dialect;
    if (!doubt) return '';
    const { inDoubtSince, absentSince, askCount } = doubt;
    return (
      `${askCount} = CASE WHEN ${row}.${inDoubtSince} IS NULL THEN 0 ELSE ${row}.${askCount} + 1 END, ` +
      `${absentSince} = CASE WHEN ${row}.${inDoubtSince} IS NULL THEN NULL ELSE ${row}.${absentSince} END, ` +
      `${inDoubtSince} = COALESCE(${row}.${inDoubtSince}, ${now}), `
    );
  }

  private buildSettle(): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    return dialect.update({
      table: lane.table,
      byId: dialect.jsonRows('rows', {
        Id: 'bigint',
        Owner: 'varchar(100)',
        Status: 'varchar(20)',
        Refunded: 'int',
        Tried: 'int',
        Certain: 'int',
        Absent: 'int',
        Unasked: 'int',
        DelayMs: 'int',
        Error: 'nvarchar(2000)',
      }),
      set: (row) =>
        `${c.status} = r.Status, ${c.attemptCount} = ${row}.${c.attemptCount} - r.Refunded, ` +
        `${c.abandonCount} = CASE r.Tried WHEN 1 THEN 0 ELSE ${row}.${c.abandonCount} END, ` +
        `${c.sentAt} = CASE r.Status WHEN '${states.done}' THEN ${dialect.now} ELSE ${row}.${c.sentAt} END, ` +
        `${c.lastError} = CASE r.Status WHEN '${states.done}' THEN r.Error ELSE COALESCE(r.Error, ${row}.${c.lastError}) END, ` +
        this.doubtAtSettle(row) +
        `${c.leaseOwner} = NULL, ` +
        `${c.nextAttemptAt} = CASE WHEN r.DelayMs IS NULL THEN NULL ELSE ${dialect.nowPlusMs('r.DelayMs')} END` +
        this.touch,
      where: (row) => `${row}.${c.leaseOwner} = r.Owner`,
      returning: ['Id'],
    });
  }

  private doubtAtSettle(row: string): string {
    const { doubt } = this.lane;
    if (!doubt) return '';
    const { inDoubtSince, absentSince, askCount } = doubt;
    return (
      `${inDoubtSince} = CASE r.Certain WHEN 1 THEN NULL ELSE ${row}.${inDoubtSince} END, ` +
      `${absentSince} = CASE r.Absent WHEN 1 THEN COALESCE(${row}.${absentSince}, ${this.dialect.now}) WHEN 0 THEN NULL ELSE ${row}.${absentSince} END, ` +
      `${askCount} = ${row}.${askCount} - r.Unasked, `
    );
  }

  /** Never waits: somebody who keeps one row locked must not cost all others their leases. */
  private buildRenew(): string {
    const { lane, dialect } = this;
    const c = lane.columns;
    return dialect.update({
      skipsLocked: true,
      table: lane.table,
      byId: dialect.jsonRows('rows', { Id: 'bigint', Owner: 'varchar(100)' }),
      set: () => `${c.nextAttemptAt} = ${dialect.nowPlusMs('@leaseMs')}`,
      where: (row) => `${row}.${c.leaseOwner} = r.Owner`,
      returning: ['Id'],
    });
  }

  /** Which of the given rows are not their owners' any more, as far as can be seen without waiting. */
  private buildTaken(): string {
    const { lane, dialect } = this;
    const { leaseOwner } = lane.columns;
    const rows = dialect.jsonRows('rows', { Id: 'bigint', Owner: 'varchar(100)' });
    return (
      `SELECT t.Id AS Id FROM ${rows} AS r JOIN ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} ON t.Id = r.Id ` +
      `WHERE t.${leaseOwner} IS NULL OR t.${leaseOwner} <> r.Owner`
    );
  }

  /** Only the first unfinished row of an order key is ever due; when it is delivered the next one becomes due. */
  private buildPromote(): string {
    const { lane, dialect } = this;
    const { orderKey } = lane;
    if (!orderKey) return '';
    // Looked up key by key: a join would read all that is parked behind each of them.
    const head = dialect.top(
      1,
      `w.Id FROM ${dialect.table(lane.table)} AS w ${dialect.committedRead} ` +
        `WHERE ${this.inOrder('w')} AND w.${orderKey} = k.OrderKey ORDER BY w.Id`,
    );
    const heads = `(SELECT (${head}) AS Id FROM ${dialect.jsonRows('keys', { OrderKey: 'varchar(250)' })} AS k)`;
    return this.makeDue(heads);
  }

  /** `ids` is a row source. */
  private makeDue(ids: string): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    return dialect.update({
      table: lane.table,
      byId: ids,
      set: () => `${c.nextAttemptAt} = ${dialect.now}`,
      where: (row) => `${row}.${c.status} = '${states.waiting}' AND ${row}.${c.nextAttemptAt} IS NULL`,
      returning: ['Id'],
    });
  }

  /** Makes due those of the given rows that are ready. */
  private buildAdopt(): string {
    const { lane, dialect } = this;
    return this.makeDue(
      `(SELECT a.Id AS Id FROM ${dialect.jsonRows('ids', { Id: 'bigint' })} AS i ` +
        `JOIN ${dialect.table(lane.table)} AS a ${dialect.committedRead} ON a.Id = i.Id ` +
        `WHERE ${this.readyAgain('a', dialect.committedRead)})`,
    );
  }

  /** A slice of the rows that wait without a due time, and which of them are ready. */
  private buildSlice(): string {
    const { lane, dialect } = this;
    const { columns: c, states } = lane;
    const slice = dialect.top(
      SMALL_BATCH,
      `t.Id AS Id FROM ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} ` +
        `WHERE ${this.rests('t')} AND t.${c.status} = '${states.waiting}' AND t.Id > @after ORDER BY t.Id`,
    );
    return (
      `SELECT s.Id AS Id, CASE WHEN ${this.readyAgain('a', dialect.committedRead)} THEN 1 ELSE 0 END AS Ready ` +
      `FROM (${slice}) AS s JOIN ${dialect.table(lane.table)} AS a ON a.Id = s.Id`
    );
  }

  /**
   * Read from indexes that hold unfinished rows only. What is dead and what waits may be many for long, so no more than
   * `MAX_COUNTED` of each are read, the oldest first.
   */
  private buildDepth(): string {
    const { lane, dialect } = this;
    const { columns: c, states, doubt } = lane;
    const from = `FROM ${dialect.table(lane.table)} AS t ${dialect.monitoringRead} WHERE`;
    const few = (state: string, where: string) => {
      const oldest = dialect.top(MAX_COUNTED, `t.CreatedAt AS CreatedAt ${from} ${where} ORDER BY t.Id`);
      return `SELECT '${state}' AS Status, COUNT(*) AS Depth, MIN(x.CreatedAt) AS Oldest FROM (${oldest}) AS x`;
    };
    // An expression: for the bare column SQLite would read an index that is in its order, with all that was ever delivered.
    const state = doubt
      ? `CASE WHEN t.${doubt.inDoubtSince} IS NOT NULL THEN '${IN_DOUBT}' ELSE t.${c.status} END`
      : `COALESCE(t.${c.status}, '')`;
    const parts = [
      `SELECT ${state} AS Status, COUNT(*) AS Depth, MIN(t.CreatedAt) AS Oldest ${from} ${this.live('t')} GROUP BY ${state}`,
      few(DEAD, this.dead('t')),
      few(PARKED, `${this.rests('t')} AND t.${c.status} = '${states.waiting}'`),
    ];
    return (
      `SELECT y.Status AS Status, y.Depth AS Depth, y.Oldest AS Oldest, ${dialect.now} AS Now ` +
      `FROM (${parts.join(' UNION ALL ')}) AS y WHERE y.Depth > 0`
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
    return `DELETE FROM ${dialect.table(lane.table)} ${dialect.rowWrite} WHERE Id IN (${old})`;
  }
}
