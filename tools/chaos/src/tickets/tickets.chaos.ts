import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboxTargetEntity } from '@malote/lanes';
import { Database, type UnitOfWork } from '@malote/persistence';
import { signDevToken } from '@malote/service-kit';
import { FunctionalAckOutboxEntity, TicketInterfaceEntity, TicketReturnOutboxEntity } from '@malote/tickets';
import { type ChaosReport } from '../chaos.ts';
import { optionsOrExit } from '../options.ts';
import { PatientUnitOfWork } from '../patient-unit-of-work.ts';
import { Balancer } from './balancer.ts';
import { Crew } from './crew.ts';
import { Gateway } from './gateway.ts';
import { forgetHistory, keepHistory, readHistory } from './history.ts';
import { judge } from './judge.ts';
import { readOptions, type TicketsChaosOptions, USAGE } from './options.ts';
import { Partner } from './partner.ts';
import { planOf } from './plan.ts';
import { reportOf } from './report.ts';
import { Rows } from './rows.ts';
import { type Stage, storm } from './storm.ts';

const LEASE_SECONDS = 1;
const ISSUER = 'malote-chaos';
const ENTITIES = [
  TicketInterfaceEntity,
  TicketReturnOutboxEntity,
  FunctionalAckOutboxEntity,
  OutboxTargetEntity,
];

export async function run(args: readonly string[]): Promise<ChaosReport> {
  const options = optionsOrExit(args, USAGE, () => readOptions(args));
  const folder = mkdtempSync(join(tmpdir(), 'malote-chaos-'));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'chaos.db')}`;
  const database = Database.open(databaseUrl, ENTITIES);
  const uow = new PatientUnitOfWork(database.unitOfWork);
  const keepsHistory = uow.dialect.name === 'sqlite';
  try {
    await database.checkSchema();
    await new Rows(uow).clear();
    if (keepsHistory) await uow.run(keepHistory);
    return await withServices(folder, databaseUrl, options, uow);
  } finally {
    if (keepsHistory) await uow.run(forgetHistory);
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withServices(
  folder: string,
  databaseUrl: string,
  options: TicketsChaosOptions,
  uow: UnitOfWork,
): Promise<ChaosReport> {
  const { seed, documents, kills, stops } = options;
  const token = { keyPath: join(folder, 'key.pem'), issuer: ISSUER, audience: ISSUER };
  const bearer = await signDevToken({
    ...token,
    subject: 'partner',
    scope: 'tickets:write',
    ttlSeconds: 3_600,
  });
  const balancer = new Balancer(() => crew.urls('ticket-api'));
  const gateway = await Gateway.start(folder, `${await balancer.listen()}/api/tickets/callback`);
  const env = {
    DATABASE_URL: databaseUrl,
    DEV_KEY_PATH: token.keyPath,
    JWT_ISSUER: token.issuer,
    JWT_AUDIENCE: token.audience,
    GATEWAY_URL: gateway.url,
    OUTBOX_LEASE_SECONDS: String(LEASE_SECONDS),
    OUTBOX_TIMEOUT_SECONDS: '2',
    // Quick, and so many that nothing dies by chance.
    OUTBOX_RETRY_BASE: '100ms',
    OUTBOX_RETRY_CAP: '2s',
    OUTBOX_MAX_ATTEMPTS: '50',
    OUTBOX_MAX_ABANDONMENTS: '50',
  };
  const crew = new Crew(folder, env, { 'ticket-api': 2, 'outbox-dispatcher': 2 });
  const partner = new Partner(() => crew.urls('ticket-api'), bearer, seed, documents);
  const plan = planOf(seed, { posts: partner.posts.length, kills, stops });
  try {
    const rows = new Rows(uow);
    return await perform(
      { seed, plan, leaseMs: LEASE_SECONDS * 1000, crew, gateway, partner, rows },
      options,
      uow,
    );
  } finally {
    crew.killAll();
    balancer.close();
    await gateway.end();
  }
}

async function perform(stage: Stage, options: TicketsChaosOptions, uow: UnitOfWork): Promise<ChaosReport> {
  const { crew, gateway, partner, rows } = stage;
  const began = performance.now();
  const scenes = async () => {
    await crew.allReady();
    const left = await storm(stage);
    const clearedAt = performance.now();
    await untilSettled(stage);
    return { ...left, settledSeconds: secondsSince(clearedAt) };
  };
  // A ticket that is stuck must end the run too, and say what is missing.
  const played = await Promise.race([scenes(), sleep(options.limitMs, undefined, { ref: false })]);
  const seconds = secondsSince(began);
  await partner.hangUp();
  const stragglers = await crew.dismiss();
  const ledger = await gateway.ledger();
  const judgement = judge({
    receipts: partner.receipts,
    tickets: await rows.tickets(),
    returns: await rows.returns(),
    acks: await rows.acks(),
    ledger,
    settleLimitSeconds: options.settleLimitSeconds,
    history: uow.dialect.name === 'sqlite' ? await uow.read(readHistory) : undefined,
  });
  return reportOf({ options, judgement, ledger, partner, crew, played, stragglers, seconds });
}

async function untilSettled({ rows, gateway }: Stage): Promise<void> {
  while ((await rows.unfinished()) > 0 || (await gateway.pendingCallbacks()) > 0) await sleep(100);
}

function secondsSince(moment: number): number {
  return Number(((performance.now() - moment) / 1000).toFixed(1));
}
