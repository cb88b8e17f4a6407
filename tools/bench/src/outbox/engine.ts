import {
  HttpSender,
  LANE_DEFAULTS,
  type LaneObserver,
  type LaneSettings,
  LaneWorker,
  TargetGate,
  TargetStore,
} from '@malote/outbox';
import { type UnitOfWork } from '@malote/persistence';
import { lane } from './lane-file.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const TIMEOUT_MS = 10_000;

/** The lane as a service runs it. */
export function startEngine(uow: UnitOfWork, settings: Partial<LaneSettings>, observer: LaneObserver) {
  const merged = { ...LANE_DEFAULTS, ...settings };
  const sender = new HttpSender({
    allowedPrivateHosts: ['127.0.0.1'],
    signingSecrets: [SECRET],
    timeoutMs: TIMEOUT_MS,
  });
  const worker = new LaneWorker(
    {
      lane,
      deliver: (message, signal) =>
        sender.post(message, message.target, String(message.row.PayloadJson), signal),
    },
    uow,
    new TargetGate(new TargetStore(uow)),
    merged,
    observer,
  );
  worker.start();
  return {
    worker,
    stop: async () => {
      await worker.stop();
      await sender.close();
    },
  };
}
