import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PersistenceModule, UnitOfWork } from '@malote/persistence';
import { type ServiceDefinition } from '@malote/service-kit';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { HttpSender } from './http-sender.ts';
import { LaneRunner } from './lane-runner.ts';
import { OutboxConfig } from './outbox.config.ts';
import { LANE_ENTITIES, OutboxModule } from './outbox.module.ts';
import { Outbox } from './outbox.ts';
import { sampleLane, SampleOutboxEntity, Sink } from './testing/index.ts';

@Injectable()
class SampleDelivery implements OnModuleInit {
  constructor(
    private readonly runner: LaneRunner,
    private readonly sender: HttpSender,
  ) {}

  onModuleInit(): void {
    this.runner.add({
      lane: sampleLane,
      deliver: (message, signal) =>
        this.sender.post(message, message.target, String(message.row.PayloadJson), signal),
    });
  }
}

@Module({})
class SampleModule {}

const definition: ServiceDefinition<OutboxConfig> = {
  name: 'sample-dispatcher',
  description: 'Delivers samples.',
  configClass: OutboxConfig,
  module: (config) => ({
    module: SampleModule,
    imports: [
      PersistenceModule.forRoot({
        databaseUrl: config.databaseUrl,
        entities: [SampleOutboxEntity, ...LANE_ENTITIES],
      }),
      OutboxModule.forRoot(config),
    ],
    providers: [SampleDelivery],
  }),
};

describe('a service that works a lane off', () => {
  let sink: Sink;
  let service: TestService<OutboxConfig>;

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

  it('shows what waits: depth and age by status', async () => {
    sink.answer = (_request, response) => response.writeHead(400).end();
    await enqueue('refused');
    for (let n = 0; n < 100 && sink.received.length === 0; n += 1) await sleep(10);
    await sleep(100);
    const metrics = await (await service.fetch('/metrics')).text();
    expect(metrics).toMatch(/outbox_depth\{lane="sample",status="dead"\} 1/);
    expect(metrics).toMatch(/outbox_dead_total\{lane="sample"\} 1/);
  });
});
