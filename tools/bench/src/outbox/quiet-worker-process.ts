import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent, settingsText } from '@malote/child-process';
import { Database } from '@malote/persistence';
import { TICKET_TABLES } from '@malote/tickets/testing';
import { CountingUnitOfWork } from './counting-unit-of-work.ts';
import { openHttp, startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';
import { type QuietWorkerSettings } from './quiet-worker.ts';
import { RawLoop } from './raw-loop.ts';

const GLANCE_MS = 20;

const settings = JSON.parse(settingsText()) as QuietWorkerSettings;

function runEngine({ databaseUrl, hearsOfCommits }: QuietWorkerSettings): void {
  const { unitOfWork } = Database.open(databaseUrl, TICKET_TABLES);
  unitOfWork.skipNestingCheck();
  startEngine(
    new CountingUnitOfWork(unitOfWork, { hearsOfCommits, onStatement: () => undefined }),
    openHttp(),
  );
}

/** Asks the file whether anybody has committed, and delivers what is due then. */
async function runLoop(folder: string, target: string): Promise<never> {
  const loop = new RawLoop(LaneFile.open(folder), openHttp(), 'one-target', target);
  let seen: unknown;
  for (;;) {
    const { dataVersion } = loop;
    if (dataVersion !== seen) {
      seen = dataVersion;
      await loop.run();
    }
    await sleep(GLANCE_MS);
  }
}

endWithParent();
if (settings.rawFolder === null) runEngine(settings);
else void runLoop(settings.rawFolder, settings.target);
process.send?.('ready');
