import { asDate, type SqlParameters, type SqlRow, type Tx, varchar } from '@malote/persistence';
import { type OutboxActionEntity } from './outbox-action.entity.ts';
import { type RowFilter } from './row-filter.ts';

const TABLE = 'TB_OUTBOX_ACTIONS';
const COLUMNS = ['Id', 'Lane', 'Action', 'Actor', 'Reason', 'Selection', 'AffectedCount', 'CreatedAt'];
const MAX_NAMING = 200;

export interface Operator {
  readonly actor: string;
  readonly reason: string;
}

export type ActionName = OutboxActionEntity['action'];

/** What an operator did. */
export interface RecordedAction {
  readonly id: string;
  /** A lane, or what was paused: `lane:<lane>` or a target. */
  readonly lane: string;
  readonly action: ActionName;
  readonly actor: string;
  readonly reason: string;
  readonly selection: RecordedSelection;
  readonly affectedCount: number;
  readonly at: Date;
}

/** As it was written down: times are text. */
export type RecordedSelection = Readonly<Record<string, unknown>> & { readonly ids?: readonly string[] };

export interface ActionFilter {
  readonly lane?: string;
  readonly actor?: string;
  readonly action?: ActionName;
}

export interface NamedRow {
  readonly lane: string;
  readonly id: string;
}

/** The record of who did what to which rows, and why. */
export class ActionLog {
  async record(
    tx: Tx,
    lane: string,
    action: Exclude<ActionName, 'release'>,
    { actor, reason }: Operator,
    selection: RowFilter,
    affectedCount: number,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO ${tx.dialect.table(TABLE)} (Lane, Action, Actor, Reason, Selection, AffectedCount) ` +
        `VALUES (@lane, @action, @actor, @reason, @selection, @affectedCount)`,
      { lane, action, actor, reason, selection: JSON.stringify(selection), affectedCount },
    );
  }

  /** Newest first; `before` is the last id of the page before. */
  async list(
    tx: Tx,
    { lane, actor, action }: ActionFilter,
    before: string | undefined,
    count: number,
  ): Promise<RecordedAction[]> {
    const conditions = ['1 = 1'];
    const parameters: Record<string, SqlParameters[string]> = {};
    const add = (name: string, value: SqlParameters[string], condition: string) => {
      parameters[name] = value;
      conditions.push(condition);
    };
    if (before !== undefined) add('before', before, 'a.Id < @before');
    if (actor !== undefined) add('actor', varchar(actor, 100), 'a.Actor = @actor');
    if (action !== undefined) add('action', varchar(action, 20), 'a.Action = @action');
    if (lane !== undefined) {
      parameters.paused = varchar(`lane:${lane}`, 100);
      add('lane', varchar(lane, 100), 'a.Lane IN (@lane, @paused)');
    }
    const rows = await tx.query(
      tx.dialect.top(
        count,
        `${columns()} FROM ${tx.dialect.table(TABLE)} AS a WHERE ${conditions.join(' AND ')} ORDER BY a.Id DESC`,
      ),
      parameters,
    );
    return rows.map(toAction);
  }

  /** What was done to these very rows since the first of them was made, oldest first. */
  async naming(tx: Tx, named: readonly NamedRow[], since: Date): Promise<RecordedAction[]> {
    if (named.length === 0) return [];
    const wanted = tx.dialect.jsonRows('named', { Lane: 'varchar(100)', Id: 'varchar(20)' });
    const rows = await tx.query(
      tx.dialect.top(
        MAX_NAMING,
        `${columns()} FROM ${tx.dialect.table(TABLE)} AS a ` +
          `WHERE a.Lane IN (SELECT n.Lane FROM ${wanted} AS n) AND a.CreatedAt >= @since ` +
          `AND EXISTS (SELECT 1 FROM ${wanted} AS n WHERE a.Lane = n.Lane AND a.Selection LIKE CONCAT('%"', n.Id, '"%')) ORDER BY a.Id DESC`,
      ),
      { since, named: JSON.stringify(named.map(({ lane, id }) => ({ Lane: lane, Id: id }))) },
    );
    // The pattern also finds a target that is called like an id.
    return rows
      .map(toAction)
      .filter((action) => named.some((row) => namesRow(action, row)))
      .reverse();
  }
}

export function namesRow({ lane, selection }: RecordedAction, row: NamedRow): boolean {
  return lane === row.lane && (selection.ids?.includes(row.id) ?? false);
}

function columns(): string {
  return COLUMNS.map((name) => `a.${name} AS ${name}`).join(', ');
}

function toAction(row: SqlRow): RecordedAction {
  return {
    id: String(row.Id),
    lane: String(row.Lane),
    action: row.Action as ActionName,
    actor: String(row.Actor),
    reason: String(row.Reason),
    selection: JSON.parse(String(row.Selection)) as RecordedSelection,
    affectedCount: Number(row.AffectedCount),
    at: asDate(row.CreatedAt) ?? new Date(0),
  };
}
