import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';
import { type UnitOfWork } from '@malote/persistence';
import { HttpSender } from '../http-sender.ts';
import {
  LANE_DEFAULTS,
  type LaneHandler,
  type LaneObserver,
  type LaneSettings,
  LaneWorker,
} from '../lane-worker.ts';
import { OutboxActionEntity } from '../outbox-action.entity.ts';
import { OutboxTargetEntity } from '../outbox-target.entity.ts';
import { Outbox, type OutboxMessage } from '../outbox.ts';
import { TargetGate } from '../target-gate.ts';
import { TargetStore } from '../target-store.ts';
import { SAMPLE_OUTBOX_SQL, sampleLane, SampleOutboxEntity } from './sample-outbox.entity.ts';
import { Sink } from './sink.ts';

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four+ bytes').toString('base64')}`;

/** Quick enough for a test, slow enough for a busy machine. */
export const FAST: LaneSettings = {
  ...LANE_DEFAULTS,
  leaseMs: 2_000,
  pollCeilingMs: 200,
  drainMs: 3_000,
  retry: { maxAttempts: 3, baseMs: 20, factor: 2, capMs: 100 },
};

export const LANE_FIXTURE_OPTIONS = {
  entities: [SampleOutboxEntity, OutboxTargetEntity, OutboxActionEntity],
  extraSql: SAMPLE_OUTBOX_SQL,
};

/** A sample lane with a sink behind it; everything that was started is stopped after each test. */
export class LaneFixture {
  readonly workers: LaneWorker[] = [];
  private current: { sink: Sink; sender: HttpSender; outbox: Outbox } | undefined;

  constructor(private readonly engine: { readonly uow: UnitOfWork }) {
    beforeEach(async () => {
      const sender = new HttpSender({
        allowedPrivateHosts: ['127.0.0.1'],
        signingSecrets: [SECRET],
        timeoutMs: 1_000,
      });
      this.current = { sink: await new Sink().open(), sender, outbox: new Outbox(engine.uow) };
    });
    afterEach(async () => {
      await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
      await this.open.sender.close();
      await this.sink.close();
    });
  }

  get sink(): Sink {
    return this.open.sink;
  }

  get outbox(): Outbox {
    return this.open.outbox;
  }

  get uow(): UnitOfWork {
    return this.engine.uow;
  }

  newGate(): TargetGate {
    return new TargetGate(new TargetStore(this.uow));
  }

  startWorker(
    handler: Partial<LaneHandler> = {},
    settings: Partial<LaneSettings> = {},
    { gate = this.newGate(), observer = {} }: { gate?: TargetGate; observer?: LaneObserver } = {},
  ): LaneWorker {
    const { sender, outbox } = this.open;
    const worker = new LaneWorker(
      {
        lane: sampleLane,
        deliver: (message, signal) =>
          sender.post(message, message.target, String(message.row.PayloadJson), signal),
        ...handler,
      },
      this.uow,
      gate,
      { ...FAST, ...settings },
      observer,
    );
    outbox.onEnqueued('sample', () => {
      worker.wake();
    });
    this.workers.push(worker);
    worker.start();
    return worker;
  }

  enqueue(messageKey: string, more: Partial<OutboxMessage> = {}) {
    return this.enqueueAll([messageKey], more);
  }

  async enqueueAll(messageKeys: readonly string[], more: Partial<OutboxMessage> = {}): Promise<void> {
    await this.uow.run(async (tx) => {
      for (const messageKey of messageKeys) {
        const payload = `{"key":"${messageKey}"}`;
        const message = { messageKey, targetUrl: this.sink.url(), payload, ...more };
        await this.outbox.enqueue(tx, sampleLane, message);
      }
    });
  }

  rows(): Promise<SampleOutboxEntity[]> {
    return this.uow.read((tx) => tx.entities.find(SampleOutboxEntity, { order: { id: 'ASC' } }));
  }

  targets(): Promise<OutboxTargetEntity[]> {
    return this.uow.read((tx) => tx.entities.find(OutboxTargetEntity));
  }

  async statuses(): Promise<string[]> {
    return (await this.rows()).map(({ status }) => status);
  }

  readonly allSent = async (): Promise<boolean> =>
    (await this.statuses()).every((status) => status === 'Sent');

  async eventually(check: () => Promise<boolean> | boolean, ms = 8_000): Promise<void> {
    const until = Date.now() + ms;
    while (!(await check())) {
      if (Date.now() > until) throw new Error(`never happened; rows: ${JSON.stringify(await this.rows())}`);
      await sleep(20);
    }
  }

  private get open() {
    if (!this.current) throw new Error('The lane is open inside tests only');
    return this.current;
  }
}

/** Keys `prefix0`, `prefix1` … */
export function keys(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`);
}
