import { defineLane, DELIVERY_TRANSITIONS, type Lane, outboxLane } from '@malote/lanes';
import { type Dialect, type Tx } from '@malote/persistence';
import { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
import { BASIC_PHASE, WEIGHED_PHASE } from './ticket-content.ts';
import { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';
import { type CallbackStatus } from './ticket-status.ts';
import { TICKET_TRANSITIONS } from './ticket-transitions.ts';

const TICKETS = 'TB_TICKET_INTERFACE';
const RETURNS = 'TB_TICKET_RETURN_OUTBOX';
const NOT_CALLED_BACK: CallbackStatus = 'Pending';

const TICKET_COLUMNS = [
  'BusinessEntity',
  'BusinessDocId',
  'PhaseCode',
  'TargetApplicationCode',
  'RawPayloadJson',
];

/** A ticket waits to be processed: phase 6 until phase 15 of its document has been. */
export const ticketProcessing = defineLane({
  name: 'ticket-processing',
  table: TICKETS,
  columns: {
    status: 'Status',
    attemptCount: 'AttemptCount',
    abandonCount: 'AbandonCount',
    lastError: 'LastError',
    lastAttemptAt: 'LastAttemptAt',
    sentAt: 'ProcessedAt',
    nextAttemptAt: 'NextAttemptAt',
    leaseOwner: 'LeaseOwner',
    discardedAt: 'DiscardedAt',
    updatedAt: 'UpdatedAt',
  },
  transitions: TICKET_TRANSITIONS,
  waiting: 'Awaiting',
  payload: [...TICKET_COLUMNS, 'CompanyCode', 'BranchCode', 'DestinationCode', 'ShipmentEvent'],
  ready: (ticket, dialect, hint) => follows(ticket, dialect, hint, wasProcessed),
  purges: false,
});

/** A processed ticket waits to be sent to the gateway: phase 6 until phase 15 of its document has been. */
export const gatewaySend = defineLane({
  name: 'gateway-send',
  table: TICKETS,
  columns: {
    status: 'GatewaySendStatus',
    attemptCount: 'GatewaySendAttemptCount',
    abandonCount: 'GatewaySendAbandonCount',
    lastError: 'GatewaySendLastError',
    lastAttemptAt: 'GatewaySendLastAttemptAt',
    sentAt: 'GatewaySendSentAt',
    nextAttemptAt: 'GatewaySendNextAttemptAt',
    leaseOwner: 'GatewaySendLeaseOwner',
    discardedAt: 'GatewaySendDiscardedAt',
    updatedAt: 'UpdatedAt',
  },
  transitions: DELIVERY_TRANSITIONS,
  waiting: 'Pending',
  target: 'TargetApplicationCode',
  payload: TICKET_COLUMNS,
  ready: (ticket, dialect, hint) => `${isToBeSent(ticket)} AND ${follows(ticket, dialect, hint, wasSent)}`,
  canBecomeDue: isToBeSent,
  purges: false,
});

function wasProcessed(ticket: string): string {
  return `${ticket}.Status = '${ticketProcessing.states.done}'`;
}

/** Only what is processed is sent, and what the gateway has called back about was sent, whoever did it. */
function isToBeSent(ticket: string): string {
  return `${wasProcessed(ticket)} AND ${ticket}.CallbackStatus = '${NOT_CALLED_BACK}'`;
}

/** A phase 15 that is not sent because the gateway has it already must not hold its phase 6 back for good. */
function wasSent(ticket: string): string {
  return `(${ticket}.GatewaySendStatus = '${gatewaySend.states.done}' OR ${ticket}.CallbackStatus <> '${NOT_CALLED_BACK}')`;
}

export const functionalAck = outboxLane({
  name: 'functional-ack',
  entity: FunctionalAckOutboxEntity,
  payload: ['BusinessDocId'],
});

export const ticketReturn = outboxLane({
  name: 'ticket-return',
  entity: TicketReturnOutboxEntity,
  payload: ['BusinessEntity', 'BusinessDocId', 'PhaseCode'],
  mirror: showReturnsOnTickets,
});

export const TICKET_LANES = [ticketProcessing, gatewaySend, functionalAck, ticketReturn] as const;

/** A condition on a ticket: nothing of its document has to come before it, or that has come as far as `isDone` says. */
function follows(ticket: string, dialect: Dialect, hint: string, isDone: (ticket: string) => string): string {
  return (
    `(${ticket}.PhaseCode <> ${WEIGHED_PHASE} OR EXISTS (SELECT 1 FROM ${dialect.table(TICKETS)} AS p ${hint} ` +
    `WHERE p.BusinessEntity = ${ticket}.BusinessEntity AND p.BusinessDocId = ${ticket}.BusinessDocId ` +
    `AND p.PhaseCode = ${BASIC_PHASE} AND ${isDone('p')}))`
  );
}

/**
 * Makes due what waited in a lane for one of these tickets: themselves or others of their documents. In a transaction of its own,
 * after those that moved the tickets on: of two such, the later one sees both, and neither waits for a row while it holds others.
 */
export async function makeDue(tx: Tx, lane: Lane, ticketIds: readonly string[]): Promise<number> {
  if (ticketIds.length === 0) return 0;
  const { dialect } = tx;
  const { columns: c, states } = lane;
  const table = dialect.table(TICKETS);
  const due = await tx.query(
    dialect.update({
      table: TICKETS,
      byId:
        `(SELECT DISTINCT s.Id AS Id FROM ${dialect.jsonRows('ids', { Id: 'bigint' })} AS i JOIN ${table} AS me ON me.Id = i.Id ` +
        `JOIN ${table} AS s ${dialect.committedRead} ON s.BusinessEntity = me.BusinessEntity AND s.BusinessDocId = me.BusinessDocId)`,
      set: () => `${c.nextAttemptAt} = ${dialect.now}`,
      where: (ticket) =>
        `${ticket}.${c.status} = '${states.waiting}' AND ${ticket}.${c.nextAttemptAt} IS NULL ` +
        `AND ${lane.ready?.(ticket, dialect, dialect.committedRead) ?? '1 = 1'}`,
      returning: ['Id'],
    }),
    { ids: idsJson(ticketIds) },
  );
  return due.length;
}

/** The specification's `Return*` columns say of a ticket what the outbox row of its return says. */
async function showReturnsOnTickets(tx: Tx, returnIds: readonly string[], skipsLocked?: true): Promise<void> {
  const { dialect } = tx;
  await tx.query(
    dialect.update({
      table: TICKETS,
      from:
        `(SELECT o.BusinessEntity AS BusinessEntity, o.BusinessDocId AS BusinessDocId, o.PhaseCode AS PhaseCode, ` +
        `o.Status AS Status, o.AttemptCount AS AttemptCount, o.LastError AS LastError, o.SentAt AS SentAt, ` +
        `o.LastAttemptAt AS LastAttemptAt FROM ${dialect.jsonRows('ids', { Id: 'bigint' })} AS i ` +
        `JOIN ${dialect.table(RETURNS)} AS o ON o.Id = i.Id)`,
      set: () =>
        `ReturnStatus = r.Status, ReturnAttemptCount = r.AttemptCount, ReturnLastError = r.LastError, ` +
        `ReturnSentAt = r.SentAt, ReturnLastAttemptAt = r.LastAttemptAt, UpdatedAt = ${dialect.now}`,
      where: (ticket) =>
        `${ticket}.BusinessEntity = r.BusinessEntity AND ${ticket}.BusinessDocId = r.BusinessDocId ` +
        `AND ${ticket}.PhaseCode = r.PhaseCode`,
      returning: ['Id'],
      ...(skipsLocked && { skipsLocked }),
    }),
    { ids: idsJson(returnIds) },
  );
}

function idsJson(ids: readonly string[]): string {
  return JSON.stringify(ids.map((Id) => ({ Id })));
}
