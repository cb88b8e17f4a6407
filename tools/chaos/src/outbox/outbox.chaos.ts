import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LANE_DEFAULTS, LaneStore } from '@malote/lanes';
import { Database, type UnitOfWork } from '@malote/persistence';
import { type ChaosReport } from '../chaos.ts';
import { optionsOrExit } from '../options.ts';
import { PatientUnitOfWork } from '../patient-unit-of-work.ts';
import { SeededRandom } from '../seeded-random.ts';
import { Adopter } from './adopter.ts';
import { prepareAskableTable } from './askable-outbox.entity.ts';
import { entities } from './entities.ts';
import { judge } from './judge.ts';
import { LaneRows } from './lane-rows.ts';
import { type OutboxChaosOptions, readOptions, USAGE } from './options.ts';
import { Producer } from './producer.ts';
import { timeRecovery } from './recovery.ts';
import { reportOf } from './report.ts';
import { prepareSettledTable, readSettled } from './settled.entity.ts';
import { Sink } from './sink.ts';
import { stormLane } from './storm-lane.ts';
import { type Stage, storm } from './storm.ts';
import { Workers } from './workers.ts';

const PATIENCE_MS = 800;
const STALL_MS = 1_200;
/** Longer than what any worker drains needs, or too short for some of it, where nothing in doubt may be forgotten. */
const DRAIN_MS = { ordinary: 5_000, askable: 20 };
/** Two cores serve seven processes. */
const RECOVERY_MARGIN_MS = 1_500;

export async function run(args: readonly string[]): Promise<ChaosReport> {
  const options = optionsOrExit(args, USAGE, () => readOptions(args));
  const folder = mkdtempSync(join(tmpdir(), 'malote-chaos-'));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'chaos.db')}`;
  const database = Database.open(databaseUrl, entities);
  try {
    await database.checkSchema();
    return await onDatabase(new PatientUnitOfWork(database.unitOfWork), databaseUrl, options);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onDatabase(
  uow: UnitOfWork,
  databaseUrl: string,
  options: OutboxChaosOptions,
): Promise<ChaosReport> {
  const { seed, isAskable, leaseMs } = options;
  await uow.run(prepareSettledTable);
  await uow.run(prepareAskableTable);
  const chosen = stormLane(isAskable);
  const rows = new LaneRows(uow, chosen.lane);
  await rows.clear();
  const random = new SeededRandom(seed);
  const sink = await Sink.start({ seed, isAskable, patienceMs: PATIENCE_MS, stallMs: STALL_MS });
  const quietMs = quietMsOf(options);
  const settings = {
    databaseUrl,
    isAskable,
    leaseMs,
    pollMs: LANE_DEFAULTS.pollMs,
    patienceMs: PATIENCE_MS,
    quietMs,
    drainMs: isAskable ? DRAIN_MS.askable : DRAIN_MS.ordinary,
  };
  const workers = new Workers(options.workers, settings, random);
  const producer = new Producer(uow, chosen, sink.url, new SeededRandom(seed + 1));
  const adopter = new Adopter(new LaneStore(chosen.lane, uow));
  const toll = { abandoned: 0, killsWithRows: 0, overtakenSenders: 0 };
  const doubtMs = leaseMs + quietMs;
  try {
    await workers.allReady();
    return await perform({ options, random, sink, workers, producer, rows, toll, doubtMs }, uow, adopter);
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
    await storm(stage);
    await untilDelivered(rows);
    const stormSeconds = secondsSince(began);
    const recoveryMs = await timeRecovery(stage);
    await untilDelivered(rows);
    return { stormSeconds, recoveryMs };
  };
  // A lane that is stuck must end the run too, and say what is missing.
  const played = await Promise.race([scenes(), sleep(options.limitMs, undefined, { ref: false })]);
  await workers.dismiss();
  const sinkState = await sink.state(true);
  const settled = await uow.read(readSettled);
  return reportOf({
    stage,
    judgement: judge({ enqueued: producer.enqueued, ledger: sinkState.ledger, settled }),
    sinkState,
    adopted: adopter.adopted,
    mayAdopt: uow.dialect.name !== 'sqlite',
    recoveryLimitMs: options.leaseMs + LANE_DEFAULTS.pollMs + RECOVERY_MARGIN_MS,
    played,
    seconds: secondsSince(began),
  });
}

/**
 * Longer than a request may be on its way: with a worker that is frozen for twice its lease, of which the first must be over before
 * anybody asks, and then inside the sink.
 */
function quietMsOf({ leaseMs }: OutboxChaosOptions): number {
  return leaseMs + STALL_MS + 1_000;
}

async function untilDelivered(rows: LaneRows): Promise<void> {
  while ((await rows.unfinished()) > 0) await sleep(100);
}

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000);
}
