import { ActionLog, type Lane, type NamedRow } from '@malote/lanes';
import { asDate, type SqlParameters, type SqlRow, type Tx, varchar } from '@malote/persistence';
import {
  type CallbackStatus,
  documentOrderKey,
  functionalAck,
  gatewaySend,
  ticketProcessing,
  ticketReturn,
  type TicketStatus,
} from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { textIn, timeIn } from '../operations/column-values.ts';
import {
  type AckRow,
  type CounterpartyRow,
  type DocumentRows,
  isSameEntity,
  originOf,
  type Progress,
  type ReturnRow,
  type TicketRow,
} from './document-rows.ts';

const TICKETS = ticketProcessing.table;
const RETURNS = ticketReturn.table;
const PROGRESS = 'Status AttemptCount LastError LastAttemptAt NextAttemptAt DiscardedAt';
const TICKET_COLUMNS =
  `Id BusinessEntity BusinessDocId PhaseCode TargetApplicationCode FunctionalAckIsRequired CreatedAt UpdatedAt ${PROGRESS} ProcessedAt ` +
  'ReturnStatus ReturnSentAt GatewaySendStatus GatewaySendAttemptCount GatewaySendLastError GatewaySendLastAttemptAt ' +
  'GatewaySendNextAttemptAt GatewaySendDiscardedAt GatewaySendSentAt CallbackStatus CallbackReceivedAt CallbackCode CallbackMessage';
const RETURN_COLUMNS = `Id BusinessEntity PhaseCode TargetUrl CreatedAt ${PROGRESS} SentAt`;
const ACK_COLUMNS = `Id MessageKey OrderKey TargetUrl CreatedAt ${PROGRESS} SentAt`;
const COUNTERPARTY_COLUMNS = 'Id BusinessEntity Status CreatedAt UpdatedAt';

export interface DocumentKey {
  readonly businessDocId: string;
  readonly businessEntity?: string | undefined;
}

/** Reads what every table has of one document, each by an index of its own. */
@Injectable()
export class TraceRepository {
  private readonly actions = new ActionLog();

  async now(tx: Tx): Promise<Date> {
    const [row] = await tx.query(`SELECT ${tx.dialect.now} AS Now`);
    return timeIn(row?.Now);
  }

  async read(tx: Tx, key: DocumentKey): Promise<DocumentRows> {
    const document = { businessDocId: key.businessDocId };
    const phases = (await select(tx, TICKETS, TICKET_COLUMNS, document)).map(toTicket);
    const tickets = phases.filter((ticket) => isAskedFor(ticket, key));
    const returns = (await this.returns(tx, key)).map(toReturn);
    const acks = (await select(tx, functionalAck.table, ACK_COLUMNS, document))
      .map(toAck)
      .filter((ack) => isAskedFor(originOf(ack, phases)?.ticket ?? ack, key));
    const counterparties = await select(tx, 'TB_COUNTERPARTIES', COUNTERPARTY_COLUMNS, key);
    const named = [
      ...rowsOf(ticketProcessing, tickets),
      ...rowsOf(gatewaySend, tickets),
      ...rowsOf(functionalAck, acks),
      ...rowsOf(ticketReturn, returns),
    ];
    const since = Math.min(...[...tickets, ...acks, ...returns].map(({ createdAt }) => createdAt.getTime()));
    const actions = named.length === 0 ? [] : await this.actions.naming(tx, named, new Date(since));
    return { tickets, returns, acks, counterparties: counterparties.map(toCounterparty), actions };
  }

  /** Their index begins with the entity, which the tickets of the document tell. */
  private returns(tx: Tx, key: DocumentKey): Promise<SqlRow[]> {
    const entities =
      `SELECT t.BusinessEntity FROM ${tx.dialect.table(TICKETS)} AS t ` +
      `WHERE t.BusinessDocId = @businessDocId${key.businessEntity === undefined ? '' : ' AND t.BusinessEntity = @businessEntity'}`;
    return tx.query(
      `SELECT ${list(RETURN_COLUMNS)} FROM ${tx.dialect.table(RETURNS)} AS d ` +
        `WHERE d.BusinessEntity IN (${entities}) AND d.BusinessDocId = @businessDocId ORDER BY d.Id`,
      parametersOf(key),
    );
  }
}

/** An ACK does not say which entity it speaks of, but for the key that keeps it in order. */
function isAskedFor(row: TicketRow | AckRow, { businessDocId, businessEntity }: DocumentKey): boolean {
  if (businessEntity === undefined) return true;
  if ('businessEntity' in row) return isSameEntity(row, { businessEntity });
  return row.orderKey === null || row.orderKey === documentOrderKey({ businessEntity, businessDocId });
}

function select(tx: Tx, table: string, columns: string, key: DocumentKey): Promise<SqlRow[]> {
  const entity = key.businessEntity === undefined ? '' : ' AND d.BusinessEntity = @businessEntity';
  return tx.query(
    `SELECT ${list(columns)} FROM ${tx.dialect.table(table)} AS d WHERE d.BusinessDocId = @businessDocId${entity} ORDER BY d.Id`,
    parametersOf(key),
  );
}

function parametersOf({ businessDocId, businessEntity }: DocumentKey): SqlParameters {
  const byId = { businessDocId: varchar(businessDocId, 100) };
  return businessEntity === undefined ? byId : { ...byId, businessEntity: varchar(businessEntity, 100) };
}

function list(columns: string): string {
  return columns
    .split(' ')
    .map((name) => `d.${name} AS ${name}`)
    .join(', ');
}

function rowsOf({ name }: Lane, rows: readonly { readonly id: string }[]): NamedRow[] {
  return rows.map(({ id }) => ({ lane: name, id }));
}

function toTicket(row: SqlRow): TicketRow {
  return {
    id: String(row.Id),
    businessEntity: String(row.BusinessEntity),
    businessDocId: String(row.BusinessDocId),
    phaseCode: Number(row.PhaseCode),
    targetApplicationCode: String(row.TargetApplicationCode),
    functionalAckIsRequired: Boolean(row.FunctionalAckIsRequired),
    createdAt: timeIn(row.CreatedAt),
    updatedAt: timeIn(row.UpdatedAt),
    processing: { ...progressOf(row, '', row.ProcessedAt), status: row.Status as TicketStatus },
    gatewaySend: progressOf(row, 'GatewaySend', row.GatewaySendSentAt),
    returnStatus: String(row.ReturnStatus),
    returnSentAt: asDate(row.ReturnSentAt),
    callback: {
      status: row.CallbackStatus as CallbackStatus,
      receivedAt: asDate(row.CallbackReceivedAt),
      code: textIn(row.CallbackCode),
      message: textIn(row.CallbackMessage),
    },
  };
}

function toReturn(row: SqlRow): ReturnRow {
  return {
    id: String(row.Id),
    businessEntity: String(row.BusinessEntity),
    phaseCode: Number(row.PhaseCode),
    targetUrl: String(row.TargetUrl),
    createdAt: timeIn(row.CreatedAt),
    sending: progressOf(row, '', row.SentAt),
  };
}

function toAck(row: SqlRow): AckRow {
  return {
    id: String(row.Id),
    messageKey: textIn(row.MessageKey),
    orderKey: textIn(row.OrderKey),
    targetUrl: String(row.TargetUrl),
    createdAt: timeIn(row.CreatedAt),
    sending: progressOf(row, '', row.SentAt),
  };
}

function toCounterparty(row: SqlRow): CounterpartyRow {
  return {
    id: String(row.Id),
    businessEntity: textIn(row.BusinessEntity),
    status: String(row.Status),
    createdAt: timeIn(row.CreatedAt),
    updatedAt: asDate(row.UpdatedAt),
  };
}

function progressOf(row: SqlRow, prefix: string, doneAt: unknown): Progress {
  return {
    status: String(row[`${prefix}Status`]),
    attempts: Number(row[`${prefix}AttemptCount`]),
    lastError: textIn(row[`${prefix}LastError`]),
    lastAttemptAt: asDate(row[`${prefix}LastAttemptAt`]),
    nextAttemptAt: asDate(row[`${prefix}NextAttemptAt`]),
    discardedAt: asDate(row[`${prefix}DiscardedAt`]),
    doneAt: asDate(doneAt),
  };
}
