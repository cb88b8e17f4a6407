import { type Tx, type UnitOfWork } from '@malote/persistence';
import { ACKS, RETURNS, TICKETS } from './machines.ts';
import { nameOf, type TicketName } from './ticket.ts';

/** A row of TB_TICKET_INTERFACE. */
export interface TicketState {
  readonly id: string;
  readonly ticket: string;
  readonly Status: string;
  readonly ReturnStatus: string;
  readonly GatewaySendStatus: string;
  readonly CallbackStatus: string;
}

/** A row of an outbox, with the ticket it speaks of. */
export interface OutboxState {
  readonly id: string;
  readonly ticket: string;
  readonly Status: string;
}

const TARGETS = 'TB_OUTBOX_TARGETS';
const UNFINISHED = [
  `SELECT COUNT(*) AS Found FROM ${TICKETS} WHERE Status <> 'Processed' OR ReturnStatus <> 'Sent' ` +
    `OR GatewaySendStatus <> 'Sent' OR CallbackStatus NOT IN ('Success', 'Error')`,
  `SELECT COUNT(*) AS Found FROM ${RETURNS} WHERE Status <> 'Sent'`,
  `SELECT COUNT(*) AS Found FROM ${ACKS} WHERE Status <> 'Sent'`,
];

const OWNERS = [
  [TICKETS, 'LeaseOwner'],
  [TICKETS, 'GatewaySendLeaseOwner'],
  [RETURNS, 'LeaseOwner'],
  [ACKS, 'LeaseOwner'],
] as const;

/** The tables of tickets as an operator would look at them. */
export class Rows {
  constructor(private readonly uow: UnitOfWork) {}

  async clear(): Promise<void> {
    await this.uow.run(async (tx) => {
      for (const table of [TICKETS, RETURNS, ACKS, TARGETS]) {
        await tx.execute(`DELETE FROM ${tx.dialect.table(table)}`);
      }
    });
  }

  unfinished(): Promise<number> {
    return this.uow.read(async (tx) => {
      let found = 0;
      for (const sql of UNFINISHED) found += await count(tx, sql);
      return found;
    });
  }

  /** Whether the dispatchers have found the gateway broken, and not yet that it serves again. */
  async isGatewayGivenUp(): Promise<boolean> {
    return this.uow.read(async (tx) => {
      const sql = `SELECT COUNT(*) AS Found FROM ${tx.dialect.table(TARGETS)} WHERE OpenCount > 0`;
      return (await count(tx, sql)) > 0;
    });
  }

  /** Rows a process is holding, dead or alive: its id is part of the lease owner's name. */
  heldBy(pid: number): Promise<number> {
    return this.uow.read(async (tx) => {
      let found = 0;
      for (const [table, owner] of OWNERS) {
        const sql = `SELECT COUNT(*) AS Found FROM ${tx.dialect.table(table)} WHERE ${owner} LIKE @owner`;
        found += await count(tx, sql, { owner: `%:${pid}:%` });
      }
      return found;
    });
  }

  tickets(): Promise<TicketState[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<Named & Omit<TicketState, 'id' | 'ticket'>>(
        `SELECT Id, BusinessEntity, BusinessDocId, PhaseCode, Status, ReturnStatus, GatewaySendStatus, CallbackStatus ` +
          `FROM ${tx.dialect.table(TICKETS)}`,
      );
      return rows.map((row) => ({ ...row, id: String(row.Id), ticket: ticketOfRow(row) }));
    });
  }

  returns(): Promise<OutboxState[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<Named & { Status: string }>(
        `SELECT Id, BusinessEntity, BusinessDocId, PhaseCode, Status FROM ${tx.dialect.table(RETURNS)}`,
      );
      return rows.map((row) => ({ id: String(row.Id), ticket: ticketOfRow(row), Status: row.Status }));
    });
  }

  /** Of the ticket an ACK speaks of, the table itself knows the document only. */
  acks(): Promise<OutboxState[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ Id: unknown; PayloadJson: string; Status: string }>(
        `SELECT Id, PayloadJson, Status FROM ${tx.dialect.table(ACKS)}`,
      );
      return rows.map(({ Id, PayloadJson, Status }) => ({
        id: String(Id),
        ticket: nameOf(JSON.parse(PayloadJson) as TicketName),
        Status,
      }));
    });
  }
}

interface Named {
  readonly Id: unknown;
  readonly BusinessEntity: string;
  readonly BusinessDocId: string;
  readonly PhaseCode: number;
}

function ticketOfRow({ BusinessEntity, BusinessDocId, PhaseCode }: Named): string {
  return nameOf({ businessEntity: BusinessEntity, businessDocId: BusinessDocId, phaseCode: PhaseCode });
}

async function count(tx: Tx, sql: string, parameters: Record<string, string> = {}): Promise<number> {
  const [row] = await tx.query<{ Found: number }>(sql, parameters);
  return row?.Found ?? 0;
}
