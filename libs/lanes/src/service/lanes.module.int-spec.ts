import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookDelivery } from '@malote/http-delivery';
import { Sink } from '@malote/http-delivery/testing';
import { PersistenceModule, UnitOfWork } from '@malote/persistence';
import { type ServiceDefinition } from '@malote/service-kit';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';

import { Outbox } from '../lane/outbox.ts';
import { sampleLane, SampleOutboxEntity, SECRET } from '../testing/index.ts';
import { LaneRunner } from './lane-runner.ts';
import { LanesConfig } from './lanes.config.ts';
import { LANE_ENTITIES, LanesModule } from './lanes.module.ts';

@Injectable()
class SampleDelivery implements OnModuleInit {
  constructor(
    private readonly runner: LaneRunner,
    private readonly webhooks: WebhookDelivery,
  ) {}

  onModuleInit(): void {
    this.runner.addAll(
      [sampleLane],
      [
        {
          lane: sampleLane,
          deliver: ({ messageKey, traceParent, target: url, row }, lease) =>
            this.webhooks.post(
              { messageKey, traceParent, url, body: String(row.PayloadJson), secrets: [SECRET] },
              lease,
            ),
        },
      ],
    );
  }
}

@Module({})
class SampleModule {}

const definition: ServiceDefinition<LanesConfig> = {
  name: 'sample-dispatcher',
  description: 'Delivers samples.',
  configClass: LanesConfig,
  module: (config) => ({
    module: SampleModule,
    imports: [
      PersistenceModule.forRoot({
        databaseUrl: config.databaseUrl,
        entities: [SampleOutboxEntity, ...LANE_ENTITIES],
      }),
      LanesModule.forRoot(config),
    ],
    providers: [SampleDelivery],
  }),
};

describe('a service that works a lane off', () => {
  let sink: Sink;
  let service: TestService<LanesConfig>;

  beforeEach(async () => {
    sink = await new Sink().open();
    service = await startTestService(definition);
  });

  afterEach(async () => {
    await service.close();
    await sink.close();
  });

  const enqueue = (messageKey: string) =>
    service.app
      .get(UnitOfWork)
      .run((tx) =>
        service.app.get(Outbox).enqueue(tx, sampleLane, { messageKey, targetUrl: sink.url(), payload: '{}' }),
      );

  it('delivers at once what is committed in its own process, and counts it', async () => {
    await enqueue('one');
    for (let n = 0; n < 100 && sink.received.length === 0; n += 1) await sleep(10);
    expect(sink.received).toMatchObject([{ headers: { 'idempotency-key': 'one' } }]);
    await sleep(50);
    const metrics = await (await service.fetch('/metrics')).text();
    expect(metrics).toMatch(/outbox_attempts_total\{lane="sample",result="delivered"\} 1/);
  });

  it('names the lanes of a domain that nobody handles', () => {
    expect(() => {
      service.app.get(LaneRunner).addAll([sampleLane], []);
    }).toThrow('Nobody handles lane sample');
  });

  it('names a lane that its domain does not list', () => {
    const deliver = () => Promise.resolve({ kind: 'delivered' } as const);
    expect(() => {
      service.app.get(LaneRunner).addAll([], [{ lane: sampleLane, deliver }]);
    }).toThrow("Lane sample is not in its domain's list");
  });

  it('shows what waits: depth and age by status', async () => {
    sink.answer = (_request, response) => response.writeHead(400).end();
    await enqueue('refused');
    for (let n = 0; n < 100 && sink.received.length === 0; n += 1) await sleep(10);
    await sleep(100);
    const metrics = await (await service.fetch('/metrics')).text();
    expect(metrics).toMatch(/outbox_depth\{lane="sample",status="dead"\} 1/);
    expect(metrics).toMatch(/outbox_oldest_seconds\{lane="sample",status="dead"\} 0\.\d/);
    expect(metrics).toMatch(/outbox_dead_total\{lane="sample"\} 1/);
  });
});
