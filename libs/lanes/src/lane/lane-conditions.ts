import { type Dialect } from '@malote/persistence';
import { type Lane } from './lane.ts';

export const DEAD = 'dead';
export const PARKED = 'parked';
export const IDLE = 'idle';
export const DISCARDED = 'discarded';
export const IN_DOUBT = 'in-doubt';

/**
 * What may be asked of a lane's rows, as SQL conditions on a row by the name it goes by. Each says as much as the filter of the
 * index it needs: an engine takes a filtered index only for a query that does.
 */
export class LaneConditions {
  constructor(
    protected readonly lane: Lane,
    protected readonly dialect: Dialect,
  ) {}

  /** Rows a worker may ever take; the lane's filtered index holds exactly these. */
  live(row: string): string {
    const { nextAttemptAt } = this.lane.columns;
    return `${this.mine(row)}${row}.${nextAttemptAt} IS NOT NULL AND ${this.notDone(row)}`;
  }

  /** Rows that are parked or dead; the lane's second filtered index holds exactly these. */
  rests(row: string): string {
    return `${this.mine(row)}${row}.${this.lane.columns.nextAttemptAt} IS NULL AND ${this.unfinishedStatus(row)}${this.andCandidate(row)}`;
  }

  /** Rows that stand in the way of later ones of their order key. */
  unfinished(row: string): string {
    return `${this.mine(row)}${this.unfinishedStatus(row)}`;
  }

  /** Rows that gave up and that a person may bring back or discard. */
  dead(row: string): string {
    return `${this.rests(row)} AND ${this.hasFailed(row)}`;
  }

  /** Dead rows and discarded ones. */
  gaveUp(row: string): string {
    return `${this.mine(row)}${row}.${this.lane.columns.nextAttemptAt} IS NULL AND ${this.hasFailed(row)}${this.andCandidate(row)}`;
  }

  /** The status of a row in more words than its column has. `idle`: nothing is to be done with it, or not yet. */
  state(row: string): string {
    const { columns: c, states, doubt, canBecomeDue } = this.lane;
    const inDoubt = doubt ? `WHEN ${row}.${doubt.inDoubtSince} IS NOT NULL THEN '${IN_DOUBT}' ` : '';
    const rests = `${row}.${c.nextAttemptAt} IS NULL`;
    const idle = canBecomeDue ? `WHEN ${rests} AND NOT (${canBecomeDue(row)}) THEN '${IDLE}' ` : '';
    return (
      `CASE WHEN ${row}.${c.status} = '${states.done}' THEN ${row}.${c.status} ${idle}` +
      `WHEN ${rests} AND ${row}.${c.discardedAt} IS NOT NULL THEN '${DISCARDED}' ` +
      `WHEN ${rests} AND ${row}.${c.status} = '${states.failed}' THEN '${DEAD}' ` +
      `WHEN ${rests} THEN '${PARKED}' ${inDoubt}ELSE ${row}.${c.status} END`
    );
  }

  /** The words of `state`. */
  get stateNames(): string[] {
    const { states, doubt, canBecomeDue } = this.lane;
    const { waiting, working, done, failed } = states;
    const some = [...(doubt ? [IN_DOUBT] : []), ...(canBecomeDue ? [IDLE] : [])];
    return [waiting, working, done, failed, DEAD, PARKED, DISCARDED, ...some];
  }

  /** Rows of which `state` says the given word; each condition is one an index knows. */
  inState(name: string, row: string): string {
    const { columns: c, states, doubt, canBecomeDue } = this.lane;
    switch (name) {
      case states.done:
        return `${this.mine(row)}${row}.${c.status} = '${states.done}'`;
      case DEAD:
        return this.dead(row);
      case DISCARDED:
        return `${this.gaveUp(row)} AND ${row}.${c.discardedAt} IS NOT NULL`;
      case PARKED:
        return `${this.rests(row)} AND ${row}.${c.status} <> '${states.failed}'`;
      case IDLE:
        return `${this.mine(row)}${row}.${c.nextAttemptAt} IS NULL AND ${this.notDone(row)} AND NOT (${canBecomeDue?.(row) ?? '1 = 1'})`;
      case IN_DOUBT:
        return `${this.live(row)} AND ${row}.${doubt?.inDoubtSince ?? ''} IS NOT NULL`;
      default: {
        const certain = doubt ? ` AND ${row}.${doubt.inDoubtSince} IS NULL` : '';
        return `${this.live(row)} AND ${row}.${c.status} = '${name}'${certain}`;
      }
    }
  }

  /** Rows of this lane among those of its table, as the beginning of a condition. */
  mine(row: string): string {
    return this.lane.filter ? `${this.lane.filter(row)} AND ` : '';
  }

  /** To be added to assignments that change what a row says of itself. */
  get touch(): string {
    const { updatedAt } = this.lane.columns;
    return updatedAt ? `, ${updatedAt} = ${this.dialect.now}` : '';
  }

  /** When a waiting row may become due. */
  ready(row: string, hint: string): string {
    const { table, orderKey, ready } = this.lane;
    if (ready) return ready(row, this.dialect, hint);
    if (!orderKey) return '1 = 1';
    return (
      `(${row}.${orderKey} IS NULL OR NOT EXISTS (SELECT 1 FROM ${this.dialect.table(table)} AS w ${hint} ` +
      `WHERE ${this.inOrder('w')} AND w.${orderKey} = ${row}.${orderKey} AND w.Id < ${row}.Id))`
    );
  }

  /**
   * When a row that a person brings back may become due: never beside another of its key that is due or under way. Whatever ends
   * that one lets it go on.
   */
  readyAgain(row: string, hint: string): string {
    const { table, orderKey } = this.lane;
    const ready = this.ready(row, hint);
    if (!orderKey) return ready;
    return (
      `${ready} AND (${row}.${orderKey} IS NULL OR NOT EXISTS (SELECT 1 FROM ${this.dialect.table(table)} AS v ${hint} ` +
      `WHERE ${this.live('v')} AND v.${orderKey} IS NOT NULL AND v.${orderKey} = ${row}.${orderKey} AND v.Id <> ${row}.Id))`
    );
  }

  /** Unfinished rows that have an order key; SQL Server finds the index of keys only when the query says as much as its filter. */
  inOrder(row: string): string {
    return `${row}.${this.lane.orderKey ?? ''} IS NOT NULL AND ${this.unfinished(row)}`;
  }

  private notDone(row: string): string {
    return `${row}.${this.lane.columns.status} <> '${this.lane.states.done}'`;
  }

  private hasFailed(row: string): string {
    return `${row}.${this.lane.columns.status} = '${this.lane.states.failed}'`;
  }

  private andCandidate(row: string): string {
    const { canBecomeDue } = this.lane;
    return canBecomeDue ? ` AND ${canBecomeDue(row)}` : '';
  }

  private unfinishedStatus(row: string): string {
    return `${this.notDone(row)} AND ${row}.${this.lane.columns.discardedAt} IS NULL`;
  }
}
