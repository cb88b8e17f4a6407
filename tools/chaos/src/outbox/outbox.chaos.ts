import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaneStore } from '@malote/outbox';
import { Database, type UnitOfWork } from '@malote/persistence';
import { type ChaosReport } from '../chaos.ts';
import { optionsOrExit } from '../options.ts';
import { PatientUnitOfWork } from '../patient-unit-of-work.ts';
import { SeededRandom } from '../seeded-random.ts';
import { entities } from './entities.ts';
import { broken, judge } from './judge.ts';
import { LaneRows } from './lane-rows.ts';
import { lane } from './message.ts';
import { type OutboxChaosOptions, readOptions, USAGE } from './options.ts';
import { Producer } from './producer.ts';
import { timeRecovery } from './recovery.ts';
import { prepareSettledTable, readSettled } from './settled.entity.ts';
import { Sink } from './sink.ts';
import { type Stage, storm } from './storm.ts';
import { Workers } from './workers.ts';

const POLL_CEILING_MS = 500;
const TIMEOUT_MS = 800;
const STALL_MS = 1_200;
/** Rows abandoned together are tried apart (250 ms), and two cores serve seven processes. */
const RECOVERY_MARGIN_MS = 1_000;

export async function run(args: readonly string[]): Promise<ChaosReport> {
  const options = optionsOrExit(args, USAGE, () => readOptions(args));
  const folder = mkdtempSync(join(tmpdir(), 'malote-chaos-'));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'chaos.db')}`;
  const database = Database.open(databaseUrl, entities);
  try {
    return await onDatabase(database, databaseUrl, options);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onDatabase(
  database: Database,
  databaseUrl: string,
  options: OutboxChaosOptions,
): Promise<ChaosReport> {
  const uow = new PatientUnitOfWork(database.unitOfWork);
  await database.checkSchema();
  await uow.run(prepareSettledTable);
  const rows = new LaneRows(uow);
  await rows.clear();
  const random = new SeededRandom(options.seed);
  const sink = await Sink.start({ seed: options.seed, stallMs: STALL_MS });
  const { leaseMs } = options;
  const settings = { databaseUrl, leaseMs, pollCeilingMs: POLL_CEILING_MS, timeoutMs: TIMEOUT_MS };
  const workers = new Workers(options.workers, settings, random);
  const producer = new Producer(uow, sink.url, new SeededRandom(options.seed + 1));
  const adopter = new Adopter(new LaneStore(lane, uow));
  try {
    await workers.allReady();
    return await perform({ options, random, sink, workers, producer, rows }, uow, adopter);
  } finally {
    adopter.stop();
    workers.killAll();
    sink.end();
  }
}

async function perform(stage: Stage, uow: UnitOfWork, adopter: Adopter): Promise<ChaosReport> {
  const { options, sink, workers, producer, rows } = stage;
  const began = performance.now();
  const scenes = async () => {
    const abandoned = await storm(stage);
    await untilDelivered(rows);
    const stormSeconds = Math.round((performance.now() - began) / 1000);
    const recoveryMs = await timeRecovery(stage);
    await untilDelivered(rows);
    return { abandoned, stormSeconds, recoveryMs };
  };
  // A lane that is stuck must end the run too, and say what is missing.
  const played = await Promise.race([scenes(), sleep(options.limitMs, undefined, { ref: false })]);
  const stoppedInOrder = await workers.dismiss();
  const { ledger, faults, verified, badSignatures } = await sink.state(true);
  const settled = await uow.read(readSettled);
  const judgement = judge({ enqueued: producer.enqueued, ledger, settled });
  const recoveryLimitMs = options.leaseMs + POLL_CEILING_MS + RECOVERY_MARGIN_MS;
  const ok =
    played !== undefined &&
    played.recoveryMs <= recoveryLimitMs &&
    stoppedInOrder &&
    badSignatures === 0 &&
    producer.repeatsTaken === 0 &&
    !broken(judgement);
  return {
    chaos: 'outbox',
    seed: options.seed,
    ok,
    messages: producer.enqueued.size,
    kills: workers.kills,
    stops: workers.stops,
    ...judgement,
    abandoned: played?.abandoned ?? null,
    lostLeases: workers.lostLeases,
    recoveryMs: played?.recoveryMs ?? null,
    recoveryLimitMs,
    repeats: producer.repeats,
    repeatsTaken: producer.repeatsTaken,
    signaturesVerified: verified,
    badSignatures,
    faults,
    adopted: adopter.adopted,
    troubles: workers.troubles.length,
    ...(workers.troubles.length > 0 ? { lastTrouble: workers.troubles.at(-1) } : {}),
    finished: played !== undefined,
    stoppedInOrder,
    stormSeconds: played?.stormSeconds ?? null,
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

async function untilDelivered(rows: LaneRows): Promise<void> {
  while ((await rows.unfinished()) > 0) await sleep(100);
}

/** The periodic task of the dispatcher: makes due what lost a race with the settle of its predecessor. */
class Adopter {
  adopted = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(store: LaneStore) {
    this.timer = setInterval(() => {
      store.adopt().then(
        (count) => {
          this.adopted += count;
        },
        // A frozen worker can hold the only write lock of a file; the next period tries again.
        () => undefined,
      );
    }, 2_000);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
