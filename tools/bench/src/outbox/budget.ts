import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '@malote/child-process';
import { BUDGET_DEFAULTS } from '@malote/lanes';
import { figure, type Figure, rounded } from '../figure.ts';
import { LaneFile } from './lane-file.ts';
import { Sink } from './sink.ts';

const TARGETS = 500;
const ANSWER_MS = 500;
const WATCHED_MS = 12_000;
const MEBIBYTE = 1024 * 1024;

/** What a process had in hand, and how much memory that took. */
export interface BudgetReport {
  /** The most that was in hand at any moment. */
  readonly rows: number;
  readonly bytes: number;
  readonly rssBefore: number;
  readonly rssMost: number;
}

interface Backlog {
  readonly rowsOfEach: number;
  readonly payloadBytes: number;
}

/** Rows in hand when five hundred slow partners come back after an outage. */
export async function budget(): Promise<Figure> {
  const { rows, ...extra } = await workOff({ rowsOfEach: 100, payloadBytes: 1024 });
  const measured = { figure: 'outbox.budget', value: rows, unit: 'rows', limit: BUDGET_DEFAULTS.rows };
  return figure({ ...measured, aim: '<=1', extra });
}

/** The same with messages so large that bytes are what there is little room for. */
export async function budgetOfBytes(): Promise<Figure> {
  const { megabytes, ...extra } = await workOff({ rowsOfEach: 20, payloadBytes: 100 * 1024 });
  const limit = BUDGET_DEFAULTS.bytes / MEBIBYTE;
  const measured = { figure: 'outbox.budget-of-bytes', value: megabytes, unit: 'MiB', limit };
  return figure({ ...measured, aim: '<=1', extra });
}

async function workOff({ rowsOfEach, payloadBytes }: Backlog) {
  const due = TARGETS * rowsOfEach;
  const sink = await Sink.start({ delayMs: ANSWER_MS });
  const file = await LaneFile.create();
  file.insert({ count: due, state: 'due', targets: sink.addresses(TARGETS), payloadBytes });
  const worker = new Child(join(import.meta.dirname, 'budget-process.ts'), { folder: file.folder });
  try {
    await worker.ready;
    await sleep(WATCHED_MS);
    const { rows, bytes, rssBefore, rssMost } = (await worker.ask({})) as BudgetReport;
    const { requests } = await sink.count();
    return {
      rows,
      megabytes: rounded(bytes / MEBIBYTE),
      rssGrowthMegabytes: rounded((rssMost - rssBefore) / MEBIBYTE),
      payloadBytes,
      due,
      delivered: requests,
      seconds: WATCHED_MS / 1_000,
    };
  } finally {
    await Promise.all([worker.end(), sink.end()]);
    await file.remove();
  }
}
