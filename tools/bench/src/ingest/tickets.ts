import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child, ServiceChild } from '@malote/child-process';
import { Database } from '@malote/persistence';
import { signDevToken } from '@malote/service-kit';
import { TicketInterfaceEntity } from '@malote/tickets';
import { figure, type Figure } from '../figure.ts';
import { median, percentile } from '../statistics.ts';
import { postAll } from './load.ts';
import { ticketJson } from './ticket.ts';

const CONNECTIONS = 50;
const POSTS = 20_000;
const ROUNDS = 3;
const ISSUER = 'malote-bench';

interface Server {
  readonly url: string;
  end(): Promise<void>;
}

interface Round {
  readonly perSecond: number;
  readonly p99: number;
}

/** Durable ticket posts per second through the whole service, beside a bare route that does only what must be done. */
export async function tickets(): Promise<Figure> {
  const service: Round[] = [];
  const raw: Round[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    service.push(await round(startService));
    raw.push(await round(startRaw));
  }
  const rates = (rounds: readonly Round[]) => rounds.map(({ perSecond }) => perSecond);
  return figure({
    figure: 'ingest.tickets',
    value: median(rates(service)),
    unit: '/s',
    limit: median(rates(raw)),
    aim: '>=0.7',
    extra: {
      p99Ms: Number(median(service.map(({ p99 }) => p99)).toFixed(1)),
      rawP99Ms: Number(median(raw.map(({ p99 }) => p99)).toFixed(1)),
      rounds: service.map((one, n) => [Math.round(one.perSecond), Math.round(raw[n]?.perSecond ?? 0)]),
    },
  });
}

type Start = (folder: string) => Promise<Server>;

async function round(start: Start): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'malote-bench-'));
  const database = Database.open(`sqlite:${databaseFile(folder)}`, [TicketInterfaceEntity]);
  await database.checkSchema();
  const token = await signDevToken({
    keyPath: keyPath(folder),
    issuer: ISSUER,
    audience: ISSUER,
    subject: 'bench',
    scope: 'tickets:write',
    ttlSeconds: 600,
  });
  const server = await start(folder);
  try {
    const load = { url: server.url, token, connections: CONNECTIONS };
    // The first connections and the compiler's warm-up belong to nobody.
    await postAll({ ...load, bodies: bodies('warm-up', POSTS / 4) });
    const measured = bodies('measured', POSTS);
    const began = performance.now();
    const posted = await postAll({ ...load, bodies: measured });
    const perSecond = POSTS / ((performance.now() - began) / 1000);
    const latencies = posted.map(({ dueAt, answeredAt }) => answeredAt - dueAt);
    await checkRows(database, POSTS + POSTS / 4);
    return { perSecond, p99: percentile(latencies, 99) };
  } finally {
    await server.end();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startService(folder: string): Promise<Server> {
  const child = new ServiceChild({
    entry: 'apps/ticket-api/src/main.ts',
    logFile: join(folder, 'ticket-api.log'),
    // As it is deployed.
    env: {
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: `sqlite:${databaseFile(folder)}`,
      JWT_PUBLIC_KEY: publicKey(folder),
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: ISSUER,
      GATEWAY_URL: 'http://127.0.0.1:9/gateway',
      GATEWAY_CALLBACK_SECRET: Buffer.alloc(32).toString('base64'),
      SHUTDOWN_DELAY_MS: '0',
    },
  });
  return { url: await child.url(), end: () => child.end() };
}

async function startRaw(folder: string): Promise<Server> {
  const child = new Child(join(import.meta.dirname, 'raw-process.ts'), {
    databaseFile: databaseFile(folder),
    keyPath: keyPath(folder),
    issuer: ISSUER,
    audience: ISSUER,
  });
  return { url: String(await child.ready), end: () => child.end() };
}

/** What was answered must be there. */
async function checkRows(database: Database, expected: number): Promise<void> {
  const [row] = await database.unitOfWork.read((tx) =>
    tx.query<{ Stored: number }>(`SELECT COUNT(*) AS Stored FROM ${tx.dialect.table('TB_TICKET_INTERFACE')}`),
  );
  if (row?.Stored !== expected) throw new Error(`${expected} posts became ${row?.Stored ?? 0} rows`);
}

function bodies(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => ticketJson(`${name}-${n}`));
}

function databaseFile(folder: string): string {
  return join(folder, 'bench.db');
}

function keyPath(folder: string): string {
  return join(folder, 'key.pem');
}

function publicKey(folder: string): string {
  const key = createPublicKey(createPrivateKey(readFileSync(keyPath(folder))));
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
