import { setTimeout as sleep } from 'node:timers/promises';
import { asDate, Database } from '@malote/persistence';
import { TicketInterfaceEntity } from '@malote/tickets';
import { type Figure } from '../figure.ts';
import { postAll, type TicketApi } from '../ingest/load.ts';
import { ticketJson } from '../ingest/ticket.ts';
import { Suite } from './suite.ts';

const GIVE_UP_MS = 300_000;
const POLL_MS = 50;

export interface Ticket {
  readonly documentId: string;
  readonly phase: 15 | 6;
}

export interface Rate {
  readonly connections: number;
  /** As fast as they are taken when left out. */
  readonly perSecond?: number;
}

/** Tickets through everything: posted, processed, returned, sent to the gateway, called back. */
export class TicketFlow {
  /** When each was to be posted, by the wall clock, in milliseconds. */
  private readonly postedAt = new Map<string, number>();

  private constructor(
    private readonly api: TicketApi,
    private readonly database: Database,
  ) {}

  /** Measures something on services that were started for it. */
  static async measure(work: (flow: TicketFlow) => Promise<Figure>): Promise<Figure> {
    const suite = await Suite.start();
    const database = Database.open(suite.databaseUrl, [TicketInterfaceEntity]);
    try {
      await suite.callBackAtOnce();
      return await work(new TicketFlow({ url: suite.ticketApiUrl, token: await suite.token() }, database));
    } finally {
      await database.close();
      await suite.end();
    }
  }

  /** In this order; returns how many seconds it took until all were answered. */
  async post(tickets: readonly Ticket[], rate: Rate): Promise<number> {
    const clockOffsetMs = Date.now() - performance.now();
    const began = performance.now();
    const bodies = tickets.map(({ documentId, phase }) => ticketJson(documentId, phase));
    const posted = await postAll({ ...this.api, ...rate, bodies });
    const seconds = (performance.now() - began) / 1000;
    tickets.forEach((ticket, n) =>
      this.postedAt.set(keyOf(ticket), clockOffsetMs + (posted[n]?.dueAt ?? NaN)),
    );
    return seconds;
  }

  /** Until everything that was posted has been called back. */
  async untilCalledBack(): Promise<void> {
    const giveUpAt = performance.now() + GIVE_UP_MS;
    for (;;) {
      const finished = await this.countFinished();
      if (finished >= this.postedAt.size) return;
      if (performance.now() > giveUpAt)
        throw new Error(`${finished} of ${this.postedAt.size} tickets were called back`);
      await sleep(POLL_MS);
    }
  }

  /** How many milliseconds after its post each of these was called back. */
  async waits(tickets: readonly Ticket[]): Promise<number[]> {
    const rows = await this.database.unitOfWork.read((tx) =>
      tx.query<{ documentId: string; phase: Ticket['phase']; CalledBackAt: unknown }>(
        `SELECT BusinessDocId AS documentId, PhaseCode AS phase, CallbackReceivedAt AS CalledBackAt ` +
          `FROM ${tx.dialect.table('TB_TICKET_INTERFACE')}`,
      ),
    );
    const calledBackAt = new Map(rows.map((row) => [keyOf(row), asDate(row.CalledBackAt)?.getTime()]));
    return tickets.map(keyOf).map((key) => {
      const waitMs = (calledBackAt.get(key) ?? NaN) - (this.postedAt.get(key) ?? NaN);
      if (Number.isNaN(waitMs)) throw new Error(`${key} was not posted or not called back`);
      return waitMs;
    });
  }

  private async countFinished(): Promise<number> {
    const row = await this.database.unitOfWork.read((tx) =>
      tx.first<{ Finished: number }>(
        `SELECT COUNT(*) AS Finished FROM ${tx.dialect.table('TB_TICKET_INTERFACE')} WHERE CallbackStatus = 'Success' ` +
          `AND ReturnStatus = 'Sent' AND GatewaySendStatus = 'Sent'`,
      ),
    );
    return row?.Finished ?? 0;
  }
}

function keyOf({ documentId, phase }: Ticket): string {
  return `${documentId} ${phase}`;
}

/** The same phase of so many documents. */
export function ticketsOf(name: string, phase: Ticket['phase'], documents: number): Ticket[] {
  return Array.from({ length: documents }, (_, n) => ({ documentId: `${name}-${n}`, phase }));
}
