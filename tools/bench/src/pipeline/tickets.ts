import { setTimeout as sleep } from 'node:timers/promises';
import { asDate, Database, type Tx } from '@malote/persistence';
import { TicketInterfaceEntity } from '@malote/tickets';
import { figure, type Figure } from '../figure.ts';
import { postAll } from '../ingest/load.ts';
import { ticketJson } from '../ingest/ticket.ts';
import { percentile } from '../statistics.ts';
import { Suite } from './suite.ts';

const DOCUMENTS = 5_000;
const CONNECTIONS = 20;
const GIVE_UP_MS = 300_000;
const POLL_MS = 50;

/** Tickets in both phases through everything: posted, processed, returned, sent to the gateway, called back. */
export async function tickets(): Promise<Figure> {
  const suite = await Suite.start();
  const database = Database.open(suite.databaseUrl, [TicketInterfaceEntity]);
  try {
    await fetch(`${suite.sandboxUrl}/faults/gateway`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ callbackDelayMs: [0, 0] }),
    });
    const load = { url: suite.ticketApiUrl, token: await suite.token(), connections: CONNECTIONS };
    // The first connections and the compiler's warm-up belong to nobody.
    await postAll({ ...load, bodies: bodies('warm-up', 200) });
    await untilCalledBack(database, 400);
    const began = performance.now();
    await postAll({ ...load, bodies: bodies('measured', DOCUMENTS) });
    const posted = performance.now();
    await untilCalledBack(database, 400 + 2 * DOCUMENTS);
    const ended = performance.now();
    const waits = await database.unitOfWork.read(waitsUntilCallback);
    return figure({
      figure: 'pipeline.tickets',
      value: (2 * DOCUMENTS) / ((ended - began) / 1000),
      unit: '/s',
      extra: {
        tickets: 2 * DOCUMENTS,
        seconds: Number(((ended - began) / 1000).toFixed(2)),
        postSeconds: Number(((posted - began) / 1000).toFixed(2)),
        postToCallbackP50Ms: Math.round(percentile(waits, 50)),
        postToCallbackP99Ms: Math.round(percentile(waits, 99)),
      },
    });
  } finally {
    await database.close();
    await suite.end();
  }
}

/** Documents in the order partners send them: each phase 15 some way before its phase 6. */
function bodies(name: string, documents: number): string[] {
  const basic = Array.from({ length: documents }, (_, n) => ticketJson(`${name}-${n}`, 15));
  const weighed = Array.from({ length: documents }, (_, n) => ticketJson(`${name}-${n}`, 6));
  return [...basic, ...weighed];
}

async function untilCalledBack(database: Database, expected: number): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const [row] = await database.unitOfWork.read((tx) =>
      tx.query<{ Finished: number }>(
        `SELECT COUNT(*) AS Finished FROM ${tx.dialect.table('TB_TICKET_INTERFACE')} WHERE CallbackStatus = 'Success' ` +
          `AND ReturnStatus = 'Sent' AND GatewaySendStatus = 'Sent'`,
      ),
    );
    const finished = row?.Finished ?? 0;
    if (finished >= expected) return;
    if (performance.now() > giveUpAt) throw new Error(`${finished} of ${expected} tickets were called back`);
    await sleep(POLL_MS);
  }
}

async function waitsUntilCallback(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ CreatedAt: unknown; CallbackReceivedAt: unknown }>(
    `SELECT CreatedAt AS CreatedAt, CallbackReceivedAt AS CallbackReceivedAt FROM ${tx.dialect.table('TB_TICKET_INTERFACE')} ` +
      `WHERE BusinessDocId LIKE 'measured-%'`,
  );
  return rows.map(
    ({ CreatedAt, CallbackReceivedAt }) =>
      (asDate(CallbackReceivedAt)?.getTime() ?? 0) - (asDate(CreatedAt)?.getTime() ?? 0),
  );
}
