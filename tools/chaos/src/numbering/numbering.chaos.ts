import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditRegister, NUMBERING_TABLES } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { Database, type UnitOfWork } from '@malote/persistence';
import { type ChaosReport } from '../chaos.ts';
import { optionsOrExit } from '../options.ts';
import { PatientUnitOfWork } from '../patient-unit-of-work.ts';
import { SeededRandom } from '../seeded-random.ts';
import { Callers } from './callers.ts';
import { judge } from './judge.ts';
import { type NumberingChaosOptions, readOptions, USAGE } from './options.ts';
import { planOf } from './plan.ts';
import { readLog, readSequences } from './register-rows.ts';
import { reportOf } from './report.ts';
import { Storm } from './storm.ts';
import { Wishes } from './wish.ts';
import { Workers } from './workers.ts';
import { YearTurn } from './year-turn.ts';

const TYPES = ['Ofício', 'Despacho'];

export async function run(args: readonly string[]): Promise<ChaosReport> {
  const options = optionsOrExit(args, USAGE, () => readOptions(args));
  const folder = mkdtempSync(join(tmpdir(), 'malote-chaos-'));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'chaos.db')}`;
  const database = Database.open(databaseUrl, NUMBERING_TABLES);
  try {
    await database.checkSchema();
    return await perform(options, databaseUrl, new PatientUnitOfWork(database.unitOfWork));
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function perform(
  options: NumberingChaosOptions,
  databaseUrl: string,
  uow: UnitOfWork,
): Promise<ChaosReport> {
  const { seed, numbers, processes, limitMs } = options;
  // The register is never emptied: types and keys of their own keep the runs of one database apart.
  const runId = randomUUID().slice(0, 8);
  const typeIds: string[] = [];
  for (const name of TYPES) typeIds.push(await openType(uow, { name: `${name} ${runId}` }));
  const turn = new YearTurn();
  const workers = new Workers(processes, databaseUrl, seed);
  const storm = new Storm(planOf(seed, options), workers, turn);
  const wishes = new Wishes(seed, runId, typeIds);
  const random = new SeededRandom(seed + 1);
  const callers = new Callers({ numbers, wishes, workers, storm, turn, random });
  const scenes = async () => {
    await workers.allReady();
    const began = performance.now();
    await callers.askAll(options.callers * processes);
    await storm.end();
    return secondsSince(began);
  };
  const began = performance.now();
  try {
    // A caller who is never answered must end the run too, and say what is missing.
    const seconds = await Promise.race([scenes(), sleep(limitMs, undefined, { ref: false })]);
    await workers.end();
    const evidence = {
      asked: callers.asked,
      answers: callers.answers,
      ...(await readRegister(uow, typeIds)),
    };
    const { audits, log } = evidence;
    return reportOf({
      options,
      callers,
      workers,
      log,
      audits,
      judgement: judge(evidence),
      finished: seconds !== undefined,
      seconds: seconds ?? secondsSince(began),
    });
  } finally {
    await workers.end();
    await callers.hangUp();
  }
}

async function readRegister(uow: UnitOfWork, typeIds: readonly string[]) {
  const each = <T>(read: (documentTypeId: string) => Promise<T>) => Promise.all(typeIds.map(read));
  const [log, sequences, audits] = [
    await each((documentTypeId) => readLog(uow, documentTypeId)),
    await each((documentTypeId) => readSequences(uow, documentTypeId)),
    await each((documentTypeId) => auditRegister(uow, { documentTypeId }, new Date())),
  ];
  return { log: log.flat(), sequences: sequences.flat(), audits };
}

function secondsSince(moment: number): number {
  return Number(((performance.now() - moment) / 1000).toFixed(1));
}
