import { WEIGHED_PHASE } from '@malote/tickets';
import { reorderedAcks } from './ack-order.ts';
import { type LedgerEntry } from './gateway.ts';
import { type Change } from './history.ts';
import { ACKS, type Machine, MACHINES, RETURNS, TICKETS } from './machines.ts';
import { type Receipt } from './partner.ts';
import { slowTickets } from './settle-times.ts';
import { type OutboxState, type TicketState } from './rows.ts';
import { basicNameOf, nameOf, type TicketName } from './ticket.ts';

export interface Evidence {
  readonly receipts: readonly Receipt[];
  readonly tickets: readonly TicketState[];
  readonly returns: readonly OutboxState[];
  readonly acks: readonly OutboxState[];
  readonly ledger: readonly LedgerEntry[];
  /** The longest a ticket may take to settle. */
  readonly settleLimitSeconds: number;
  /** Undefined where none could be kept. */
  readonly history: readonly Change[] | undefined;
}

/** Each promise with what breaks it, one line for each case. */
export interface Judgement {
  readonly lost: readonly string[];
  readonly duplicates: readonly string[];
  /** Null when there is no history to tell from. */
  readonly backwards: readonly string[] | null;
  /** Statuses the history does not lead to: it would be no evidence. */
  readonly gaps: readonly string[] | null;
  /** Tickets that say of their return what its outbox row does not. */
  readonly disagreeing: readonly string[];
  readonly reordered: readonly string[];
  readonly altered: readonly string[];
  /** Tickets that took longer to settle than any may. */
  readonly slow: readonly string[];
  readonly badSignatures: readonly string[];
  readonly refused: readonly string[];
}

const KINDS = ['ticket', 'return', 'ack'] as const;
const ORDERED_KINDS = ['ticket', 'return'] as const;
const DONE = { Status: 'Processed', ReturnStatus: 'Sent', GatewaySendStatus: 'Sent' } as const;

/** The gateway's ledger, the rows and their history are the judges: what a service believes counts for nothing. */
export function judge(evidence: Evidence): Judgement {
  const { history, ledger } = evidence;
  const refusals = ledger.filter(({ decision }) => decision === 'refused' || decision === 'given-up');
  const isForged = ({ reason }: LedgerEntry) => reason === 'bad-signature';
  return {
    lost: [
      ...lostRows(evidence),
      ...unfinishedRows(evidence),
      ...undelivered(evidence),
      ...uncalled(evidence),
    ],
    duplicates: duplicates(evidence),
    backwards: history?.filter((change) => !isEdge(change)).map(textOf) ?? null,
    gaps: history ? gaps(history, evidence) : null,
    disagreeing: disagreeing(evidence),
    reordered: [
      ...ORDERED_KINDS.flatMap((kind) => reordered(accepted(ledger, kind))),
      ...reorderedAcks(evidence.acks, ledger),
    ],
    altered: altered(evidence),
    slow: slowTickets(evidence.receipts, ledger, evidence.settleLimitSeconds),
    badSignatures: refusals.filter(isForged).map(lineOf),
    refused: refusals.filter((entry) => !isForged(entry)).map(lineOf),
  };
}

/** Null counts as kept: nobody can tell. */
export function broken(judgement: Judgement): boolean {
  return Object.values(judgement).some(
    (cases: readonly string[] | null) => cases !== null && cases.length > 0,
  );
}

function lostRows({ receipts, tickets }: Evidence): string[] {
  const stored = new Set(tickets.map(({ id, ticket }) => `${id} ${ticket}`));
  return receipts
    .filter(({ id, ticket }) => !stored.has(`${id} ${ticket}`))
    .map(({ id, ticket }) => `${ticket} was accepted as ${id} and has no such row`);
}

function unfinishedRows({ tickets, returns, acks }: Evidence): string[] {
  const columns = Object.entries(DONE) as [keyof typeof DONE, string][];
  return [
    ...tickets.flatMap((row) =>
      columns
        .filter(([column, done]) => row[column] !== done)
        .map(([column]) => `${row.ticket}: ${column} is ${row[column]}`),
    ),
    ...[...returns, ...acks]
      .filter(({ Status }) => Status !== 'Sent')
      .map(({ ticket, Status }) => `${ticket}: its outbox row is ${Status}`),
  ];
}

function undelivered({ receipts, ledger }: Evidence): string[] {
  const posted = new Set(receipts.map(({ ticket }) => ticket));
  return KINDS.flatMap((kind) => {
    const arrived = new Set(accepted(ledger, kind).map(ticketOfEntry));
    return [...posted]
      .filter((ticket) => !arrived.has(ticket))
      .map((ticket) => `${kind} of ${ticket} never came`);
  });
}

/** What the gateway said last of a ticket must be what the ticket says. */
function uncalled({ tickets, ledger }: Evidence): string[] {
  const outcomes = new Map<string, string>();
  for (const entry of ledger) {
    const status = entry.callback?.status;
    if (entry.decision === 'delivered' && (status === 'Success' || status === 'Error')) {
      outcomes.set(ticketOfEntry(entry), status);
    }
  }
  return tickets
    .filter(({ ticket, CallbackStatus }) => CallbackStatus !== outcomes.get(ticket))
    .map(
      ({ ticket, CallbackStatus }) =>
        `${ticket} was called back with ${outcomes.get(ticket) ?? 'nothing'} and says ${CallbackStatus}`,
    );
}

function duplicates({ receipts, tickets, returns, acks, ledger }: Evidence): string[] {
  const ids = [...new Set(receipts.map(({ ticket, id }) => `${ticket} as ${id}`))];
  return [
    ...KINDS.flatMap((kind) => repeated(accepted(ledger, kind).map(ticketOfEntry), `${kind} accepted twice`)),
    ...repeated(
      ids.map((id) => id.slice(0, id.lastIndexOf(' as '))),
      'accepted under two ids',
    ),
    ...repeated(tickets.map(nameOfRow), 'has two ticket rows'),
    ...repeated(returns.map(nameOfRow), 'has two return rows'),
    ...repeated(acks.map(nameOfRow), 'has two ACK rows'),
  ];
}

function disagreeing({ tickets, returns }: Evidence): string[] {
  const statuses = new Map(returns.map(({ ticket, Status }) => [ticket, Status]));
  return tickets
    .filter(({ ticket, ReturnStatus }) => ReturnStatus !== (statuses.get(ticket) ?? 'Pending'))
    .map(
      ({ ticket, ReturnStatus }) =>
        `${ticket}: ReturnStatus is ${ReturnStatus}, its return ${statuses.get(ticket) ?? 'nowhere'}`,
    );
}

/** Phase 15 of a document is accepted before its phase 6. */
function reordered(entries: readonly LedgerEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const ticket = ticketOfEntry(entry);
    const early = entry.phaseCode === WEIGHED_PHASE && !seen.has(basicNameOf(keyOf(entry)));
    seen.add(ticket);
    return early ? [`${entry.kind} of ${ticket} came before that of phase 15`] : [];
  });
}

/** Tickets are sent as they were received. */
function altered({ receipts, ledger }: Evidence): string[] {
  const digests = new Map(receipts.map(({ ticket, digest }) => [ticket, digest]));
  return accepted(ledger, 'ticket')
    .filter((entry) => entry.bodyDigest !== digests.get(ticketOfEntry(entry)))
    .map((entry) => `${ticketOfEntry(entry)} reached the gateway as something else`);
}

function isEdge({ table, column, before, after }: Change): boolean {
  const machine = MACHINES.find((one) => one.table === table && one.column === column);
  return Object.values(machine?.transitions[before] ?? {}).includes(after);
}

function gaps(history: readonly Change[], { tickets, returns, acks }: Evidence): string[] {
  const last = new Map<string, string>();
  const where = ({ table, column }: Pick<Machine, 'table' | 'column'>, id: string) =>
    `${table}.${column} ${id}`;
  for (const change of history) last.set(where(change, change.rowId), change.after);
  const rows: Record<string, readonly object[]> = { [TICKETS]: tickets, [RETURNS]: returns, [ACKS]: acks };
  return MACHINES.flatMap((machine) =>
    (rows[machine.table] ?? []).flatMap((row) => {
      const { id, [machine.column]: status } = row as Record<string, string> & { id: string };
      const recorded = last.get(where(machine, id)) ?? machine.initial;
      return recorded === status
        ? []
        : [`${where(machine, id)} is ${String(status)}, its history ends with ${recorded}`];
    }),
  );
}

function accepted(ledger: readonly LedgerEntry[], kind: (typeof KINDS)[number]): LedgerEntry[] {
  return ledger.filter((entry) => entry.kind === kind && entry.decision === 'accepted');
}

function repeated(names: readonly string[], what: string): string[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    if (seen.has(name)) return [`${name} ${what}`];
    seen.add(name);
    return [];
  });
}

function keyOf({ businessEntity = '', businessDocId = '', phaseCode = 0 }: LedgerEntry): TicketName {
  return { businessEntity, businessDocId, phaseCode };
}

function ticketOfEntry(entry: LedgerEntry): string {
  return nameOf(keyOf(entry));
}

function nameOfRow({ ticket }: { readonly ticket: string }): string {
  return ticket;
}

function lineOf(entry: LedgerEntry): string {
  return `${entry.kind} of ${ticketOfEntry(entry)} was refused: ${entry.reason ?? 'for no reason'}`;
}

function textOf({ table, column, rowId, before, after }: Change): string {
  return `${table}.${column} ${rowId} went from ${before} to ${after}`;
}
