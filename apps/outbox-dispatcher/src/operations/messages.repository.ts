import { AppError } from '@malote/app-error';
import { type Lane, type LaneStore, rowConditions, type RowFilter } from '@malote/lanes';
import {
  asDate,
  type SqlParameters,
  type SqlRow,
  type SqlValue,
  type Tx,
  varchar,
} from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { textIn, timeIn } from './column-values.ts';

export interface MessageFilter extends RowFilter {
  readonly status?: string | undefined;
  readonly businessEntity?: string | undefined;
  readonly businessDocId?: string | undefined;
  readonly messageKey?: string | undefined;
}

export interface Message {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly target: string | null;
  readonly messageKey: string | null;
  readonly businessEntity?: string;
  readonly businessDocId?: string;
  readonly phaseCode?: number;
  readonly createdAt: Date;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly sentAt: Date | null;
}

export interface MessageDetail extends Message {
  readonly payload: string;
  readonly orderKey: string | null;
  readonly leaseOwner: string | null;
  readonly traceParent: string | null;
  readonly discardedAt: Date | null;
  /** In askable lanes. */
  readonly inDoubtSince?: Date | null;
  readonly askCount?: number;
}

type Columns = Readonly<Record<string, string>>;

/** Reads the rows of any lane, whatever its columns are called. */
@Injectable()
export class MessagesRepository {
  /** Newest first; `before` is the last id of the page before. */
  list(
    tx: Tx,
    store: LaneStore,
    filter: MessageFilter,
    before: string | undefined,
    count: number,
  ): Promise<Message[]> {
    const { lane, sql } = store;
    const { status } = filter;
    const where = status === undefined ? `${sql.mine('t')}1 = 1` : sql.inState(stateOf(store, status), 't');
    const { and, parameters } = messageConditions(lane, tx, filter);
    const page = before === undefined ? '' : ' AND t.Id < @before';
    const values = { ...parameters, ...(before !== undefined && { before }) };
    return select(tx, store, `${where}${and}${page} ORDER BY t.Id DESC`, values, count);
  }

  /** Those that were made first. */
  firstDead(tx: Tx, store: LaneStore, filter: RowFilter, count: number): Promise<Message[]> {
    const { and, parameters } = rowConditions(store.lane, tx.dialect, filter);
    return select(tx, store, `${store.sql.dead('t')}${and} ORDER BY t.Id`, parameters, count);
  }

  async get(tx: Tx, store: LaneStore, id: string): Promise<MessageDetail> {
    const { lane, sql } = store;
    const columns = { ...summaryColumns(store), ...detailColumns(lane) };
    const [row] = await tx.query(
      `SELECT ${selected(columns)} FROM ${tx.dialect.table(lane.table)} AS t WHERE ${sql.mine('t')}t.Id = @id`,
      { id },
    );
    if (row) return toDetail(row, lane);
    throw new AppError('not-found', 'unknown-message', `${lane.name} has no message ${id}`);
  }
}

async function select(
  tx: Tx,
  store: LaneStore,
  condition: string,
  parameters: SqlParameters,
  count: number,
): Promise<Message[]> {
  const table = tx.dialect.table(store.lane.table);
  const body = `${selected(summaryColumns(store))} FROM ${table} AS t WHERE ${condition}`;
  return (await tx.query(tx.dialect.top(count, body), parameters)).map(toMessage);
}

function messageConditions(lane: Lane, tx: Tx, filter: MessageFilter) {
  const { and, parameters } = rowConditions(lane, tx.dialect, filter);
  const conditions = [and];
  const values: Record<string, SqlValue> = { ...parameters };
  const add = (
    name: keyof MessageFilter,
    value: string | undefined,
    column: string | null,
    length: number,
  ) => {
    if (value === undefined) return;
    if (!column)
      throw new AppError('invalid', 'filter-not-known', `Messages of ${lane.name} have no ${name}`);
    conditions.push(` AND t.${column} IS NOT NULL AND t.${column} = @${name}`);
    values[name] = varchar(value, length);
  };
  add('businessEntity', filter.businessEntity, columnIn(lane, 'BusinessEntity'), 100);
  add('businessDocId', filter.businessDocId, columnIn(lane, 'BusinessDocId'), 100);
  add('messageKey', filter.messageKey, lane.messageKey, 200);
  return { and: conditions.join(''), parameters: values };
}

function stateOf({ lane, sql }: LaneStore, status: string): string {
  const state = sql.stateNames.find((name) => name.toLowerCase() === status.toLowerCase());
  if (state) return state;
  const message = `A message of ${lane.name} is one of ${sql.stateNames.join(', ')}`;
  const fields = [{ pointer: '/status', code: 'unknown-status', message }];
  throw new AppError('invalid', 'unknown-status', message, { fields });
}

function summaryColumns({ lane, sql }: LaneStore): Columns {
  const { columns: c } = lane;
  return {
    Id: 't.Id',
    Status: sql.state('t'),
    Attempts: `t.${c.attemptCount}`,
    LastError: `t.${c.lastError}`,
    Target: ofRow(lane.target),
    MessageKey: ofRow(lane.messageKey),
    BusinessEntity: ofRow(columnIn(lane, 'BusinessEntity')),
    BusinessDocId: ofRow(columnIn(lane, 'BusinessDocId')),
    PhaseCode: ofRow(columnIn(lane, 'PhaseCode')),
    CreatedAt: 't.CreatedAt',
    LastAttemptAt: `t.${c.lastAttemptAt}`,
    NextAttemptAt: `t.${c.nextAttemptAt}`,
    SentAt: `t.${c.sentAt}`,
  };
}

function detailColumns(lane: Lane): Columns {
  const { doubt } = lane;
  return {
    Payload: ofRow(lane.payload.find((name) => name.endsWith('PayloadJson')) ?? null),
    OrderKey: ofRow(lane.orderKey),
    LeaseOwner: `t.${lane.columns.leaseOwner}`,
    TraceParent: 't.TraceParent',
    DiscardedAt: `t.${lane.columns.discardedAt}`,
    ...(doubt && { InDoubtSince: `t.${doubt.inDoubtSince}`, AskCount: `t.${doubt.askCount}` }),
  };
}

/** A lane names the columns of its table it has beside those all lanes have. */
function columnIn(lane: Lane, name: string): string | null {
  return lane.payload.includes(name) ? name : null;
}

function ofRow(column: string | null): string {
  return column ? `t.${column}` : 'NULL';
}

function selected(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, source]) => `${source} AS ${name}`)
    .join(', ');
}

function toMessage(row: SqlRow): Message {
  const [businessEntity, businessDocId] = [textIn(row.BusinessEntity), textIn(row.BusinessDocId)];
  return {
    id: String(row.Id),
    status: String(row.Status),
    attempts: Number(row.Attempts),
    lastError: textIn(row.LastError),
    target: textIn(row.Target),
    messageKey: textIn(row.MessageKey),
    ...(businessEntity !== null && { businessEntity }),
    ...(businessDocId !== null && { businessDocId }),
    ...(row.PhaseCode !== null && { phaseCode: Number(row.PhaseCode) }),
    createdAt: timeIn(row.CreatedAt),
    lastAttemptAt: asDate(row.LastAttemptAt),
    nextAttemptAt: asDate(row.NextAttemptAt),
    sentAt: asDate(row.SentAt),
  };
}

function toDetail(row: SqlRow, { doubt }: Lane): MessageDetail {
  return {
    ...toMessage(row),
    payload: textIn(row.Payload) ?? '',
    orderKey: textIn(row.OrderKey),
    leaseOwner: textIn(row.LeaseOwner),
    traceParent: textIn(row.TraceParent),
    discardedAt: asDate(row.DiscardedAt),
    ...(doubt && { inDoubtSince: asDate(row.InDoubtSince), askCount: Number(row.AskCount) }),
  };
}
