import { endWithParent, settingsText } from '@malote/child-process';
import { HttpSender, LANE_DEFAULTS, LaneWorker, TargetGate, TargetStore } from '@malote/outbox';
import { Database } from '@malote/persistence';
import { entities } from './entities.ts';
import { lane, SECRET } from './message.ts';
import { recordSettled } from './settled.entity.ts';
import { type WorkerNews, type WorkerSettings } from './workers.ts';

const { databaseUrl, leaseMs, pollCeilingMs, timeoutMs } = JSON.parse(settingsText()) as WorkerSettings;
const tell = (news: WorkerNews) => process.send?.(news);

const database = Database.open(databaseUrl, entities);
await database.checkSchema();
const uow = database.unitOfWork;
const sender = new HttpSender({
  allowedPrivateHosts: ['127.0.0.1'],
  signingSecrets: [SECRET],
  timeoutMs,
});
const worker = new LaneWorker(
  {
    lane,
    deliver: (message, signal) =>
      sender.post(message, message.target, String(message.row.PayloadJson), signal),
    onSettled: recordSettled,
  },
  uow,
  new TargetGate(new TargetStore(uow)),
  {
    ...LANE_DEFAULTS,
    leaseMs,
    pollCeilingMs,
    // Quick, and with so many attempts that nothing dies by chance.
    retry: { maxAttempts: 50, baseMs: 50, factor: 2, capMs: 1_000 },
  },
  {
    lostLease: (_lane, count) => tell({ kind: 'lost-lease', count }),
    troubled: (_lane, error) => tell({ kind: 'troubled', text: String(error) }),
  },
);

endWithParent();
process.on('SIGTERM', () => {
  void worker
    .stop()
    .then(() => sender.close())
    .then(() => database.close())
    .then(() => process.exit(0));
});
worker.start();
tell({ kind: 'started' });
