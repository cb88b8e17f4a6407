import { setTimeout as sleep } from 'node:timers/promises';
import { outboxLane } from '@malote/lanes';
import { FunctionalAckOutboxEntity, TICKET_LANES } from '@malote/tickets';
import { figure, type Figure, rounded } from '../figure.ts';
import { CountingUnitOfWork } from './counting-unit-of-work.ts';
import { DRAIN_MS, openHttp, startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';

const OPENING_MS = 2_500;
const WATCHED_MS = 16_000;
/** Statements of one look follow each other at once. */
const APART_MS = 50;

/** Six lanes of one process. */
const LANES = [
  ...TICKET_LANES,
  ...['fifth', 'sixth'].map((name) => outboxLane({ name, entity: FunctionalAckOutboxEntity })),
];

/** Statements per second of a process with nothing to do that is told of other processes' commits. */
export function idle(): Promise<Figure> {
  return measure('outbox.idle', '<=1', true);
}

/** The same where only a look tells, as on SQL Server. */
export function idlePolled(): Promise<Figure> {
  return measure('outbox.idle-polled', '<=5', false);
}

async function measure(name: string, aim: string, hearsOfCommits: boolean): Promise<Figure> {
  const file = await LaneFile.create();
  const http = openHttp();
  const statements: number[] = [];
  const uow = new CountingUnitOfWork(file.uow, {
    hearsOfCommits,
    onStatement: () => {
      statements.push(performance.now());
    },
  });
  const engine = startEngine(uow, http, { lanes: LANES });
  await sleep(OPENING_MS);
  statements.length = 0;
  await sleep(WATCHED_MS);
  const { counted, seconds } = wholeLooks(statements);
  await engine.stop(DRAIN_MS);
  await http.close();
  await file.remove();
  const extra = { lanes: LANES.length, statements: counted, seconds: rounded(seconds) };
  return figure({ figure: name, value: counted / seconds, unit: '/s', aim, extra });
}

/** From the beginning of the first look to that of the last: a cut through one would be luck. */
function wholeLooks(statements: readonly number[]) {
  const looks = statements.filter((at, n) => at - (statements[n - 1] ?? -Infinity) > APART_MS);
  const [from, to] = [looks[0], looks.at(-1)];
  if (from === undefined || to === undefined || to === from) throw new Error('The idle lanes never looked');
  return { counted: statements.filter((at) => at < to).length, seconds: (to - from) / 1000 };
}
