import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';
import { HttpDelivery, WebhookDelivery } from '@malote/http-delivery';
import { Sink } from '@malote/http-delivery/testing';
import { type UnitOfWork } from '@malote/persistence';
import { type EntityTarget } from 'typeorm';
import { type BudgetLimits } from '../engine/budget.ts';
import { LaneEngine } from '../engine/lane-engine.ts';
import { type LaneHandler, type Lease } from '../engine/lane-handler.ts';
import { type LaneObserver } from '../engine/lane-observer.ts';
import { LANE_DEFAULTS, type LaneSettings } from '../engine/lane-settings.ts';
import { type Lane, type LaneMessage } from '../lane/lane.ts';
import { Outbox, type OutboxMessage } from '../lane/outbox.ts';
import { OutboxActionEntity } from '../operators/outbox-action.entity.ts';
import { Operations } from '../operators/operations.ts';
import { OutboxTargetEntity } from '../targets/outbox-target.entity.ts';
import {
  SAMPLE_TABLES,
  SampleAskableEntity,
  sampleLane,
  SampleOutboxEntity,
} from './sample-outbox.entity.ts';

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four+ bytes').toString('base64')}`;

/** Quick enough for a test, slow enough for a busy machine. */
export const FAST: LaneSettings = {
  ...LANE_DEFAULTS,
  leaseMs: 2_000,
  pollMs: 200,
  retry: { maxAttempts: 3, baseMs: 20, factor: 2, capMs: 100 },
  ask: { baseMs: 20, factor: 2, capMs: 100, limit: 5, slowMs: 200, quietMs: 150 },
};
const DRAIN_MS = 3_000;

export const LANE_FIXTURE_OPTIONS = {
  ...SAMPLE_TABLES,
  entities: [...SAMPLE_TABLES.entities, OutboxTargetEntity, OutboxActionEntity],
};

/** A row of either sample lane. */
export type SampleRow = SampleOutboxEntity & Partial<SampleAskableEntity>;

export interface EngineExtras {
  readonly observer?: LaneObserver;
  readonly budget?: BudgetLimits;
  readonly drainMs?: number;
  /** Instead of the test's own. */
  readonly uow?: UnitOfWork;
}

/** An engine under test, with what a test does to it. */
export interface RunningEngine {
  readonly engine: LaneEngine;
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
}

interface Open {
  readonly sink: Sink;
  readonly http: HttpDelivery;
  readonly webhooks: WebhookDelivery;
  readonly outbox: Outbox;
  readonly operations: Operations;
}

/** A sample lane with a sink behind it; everything that was started is stopped after each test. */
export class LaneFixture {
  private readonly running: RunningEngine[] = [];
  private current: Open | undefined;

  constructor(
    private readonly engine: { readonly uow: UnitOfWork },
    readonly lane: Lane = sampleLane,
  ) {
    beforeEach(async () => {
      const http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 1_000 });
      const outbox = new Outbox();
      this.current = {
        sink: await new Sink().open(),
        http,
        webhooks: new WebhookDelivery(http),
        outbox,
        operations: new Operations(engine.uow, outbox),
      };
    });
    afterEach(async () => {
      await Promise.all(this.running.splice(0).map(({ stop }) => stop()));
      await this.open.http.close();
      await this.sink.close();
    });
  }

  get sink(): Sink {
    return this.open.sink;
  }

  get outbox(): Outbox {
    return this.open.outbox;
  }

  get operations(): Operations {
    return this.open.operations;
  }

  get uow(): UnitOfWork {
    return this.engine.uow;
  }

  readonly post = (message: LaneMessage, lease: Lease) => {
    const { messageKey, traceParent, target: url } = message;
    const body = String(message.row.PayloadJson);
    return this.open.webhooks.post({ messageKey, traceParent, url, body, secrets: [SECRET] }, lease);
  };

  /** One process's engine with the sample lane. */
  start(
    handler: Partial<LaneHandler> = {},
    settings: Partial<LaneSettings> = {},
    { drainMs = DRAIN_MS, ...options }: EngineExtras = {},
  ): RunningEngine {
    return this.startAll([{ lane: this.lane, deliver: this.post, ...handler }], settings, {
      drainMs,
      ...options,
    });
  }

  /** The same with lanes of the test's own. */
  startAll(
    handlers: readonly LaneHandler[],
    settings: Partial<LaneSettings> = {},
    { drainMs = DRAIN_MS, uow = this.uow, ...options }: EngineExtras = {},
  ): RunningEngine {
    const engine = new LaneEngine(uow, options);
    for (const handler of handlers) engine.add(handler, { ...FAST, ...settings });
    const wake = () => {
      engine.wake();
    };
    this.outbox.onDue(wake);
    const running = { engine, wake, stop: () => engine.stop(drainMs) };
    this.running.push(running);
    engine.start();
    return running;
  }

  enqueue(messageKey: string, more: Partial<OutboxMessage> = {}) {
    return this.enqueueAll([messageKey], more);
  }

  async enqueueAll(messageKeys: readonly string[], more: Partial<OutboxMessage> = {}): Promise<void> {
    await this.uow.run(async (tx) => {
      for (const messageKey of messageKeys) {
        const payload = `{"key":"${messageKey}"}`;
        const message = { messageKey, targetUrl: this.sink.url(), payload, ...more };
        await this.outbox.enqueue(tx, this.lane, message);
      }
    });
  }

  rows(): Promise<SampleRow[]> {
    const entity: EntityTarget<SampleRow> = this.lane.doubt ? SampleAskableEntity : SampleOutboxEntity;
    return this.uow.read((tx) => tx.entities.find(entity, { order: { id: 'ASC' } }));
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

  private get open(): Open {
    if (!this.current) throw new Error('The lane is open inside tests only');
    return this.current;
  }
}

/** Keys `prefix0`, `prefix1` … */
export function keys(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`);
}
