import { endWithParent, settingsText } from '@malote/child-process';
import { HttpDelivery } from '@malote/http-delivery';
import { LANE_DEFAULTS, LaneEngine, type LaneSettings } from '@malote/lanes';
import { Database } from '@malote/persistence';
import { entities } from './entities.ts';
import { askableHandler, ordinaryHandler } from './handler.ts';
import { type WorkerNews, type WorkerSettings } from './workers.ts';

const settings = JSON.parse(settingsText()) as WorkerSettings;
const { databaseUrl, isAskable, leaseMs, pollMs, patienceMs, quietMs, drainMs } = settings;

const laneSettings: LaneSettings = {
  ...LANE_DEFAULTS,
  leaseMs,
  pollMs,
  // So many that nothing dies by chance, however many workers are killed with a row in their hands.
  maxAbandonments: 1_000,
  retry: { maxAttempts: 1_000, baseMs: 50, factor: 2, capMs: 1_000 },
  ask: { baseMs: 50, factor: 2, capMs: 1_000, limit: 8, slowMs: 500, quietMs },
};

let freezesAtNextSend = false;

function tell(news: WorkerNews): Promise<void> {
  return new Promise((resolve) => {
    if (process.send)
      process.send(news, undefined, undefined, () => {
        resolve();
      });
    else resolve();
  });
}

/** Told to, it stops here: ready to send, and with every byte it was allowed to send gone. */
async function freezeWhenTold(messageKey: string): Promise<void> {
  if (!freezesAtNextSend) return;
  freezesAtNextSend = false;
  await tell({ kind: 'freezing', messageKey });
  process.kill(process.pid, 'SIGSTOP');
}

const database = Database.open(databaseUrl, entities);
await database.checkSchema();
const uow = database.unitOfWork;
const http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: patienceMs });
const engine = new LaneEngine(uow, {
  observer: {
    lostLease: (_lane, count) => void tell({ kind: 'lost-lease', count }),
    troubled: (_lane, error) => void tell({ kind: 'troubled', text: String(error) }),
    settled: (_lane, { needsHuman }) => {
      if (needsHuman) void tell({ kind: 'needs-human' });
    },
  },
});
engine.add(isAskable ? askableHandler(http, freezeWhenTold) : ordinaryHandler(http), laneSettings);

endWithParent();
process.on('SIGUSR2', () => {
  freezesAtNextSend = true;
});
process.on('SIGTERM', () => {
  void engine
    .stop(drainMs)
    .then(() => http.close())
    .then(() => database.close())
    .then(() => process.exit(0));
});
engine.start();
void tell({ kind: 'started' });
