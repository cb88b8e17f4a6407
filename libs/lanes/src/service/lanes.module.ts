import { HttpDelivery, WebhookDelivery } from '@malote/http-delivery';
import { Database, UnitOfWork } from '@malote/persistence';
import { Draining, Log, Metrics } from '@malote/service-kit';
import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Outbox } from '../lane/outbox.ts';
import { OutboxActionEntity } from '../operators/outbox-action.entity.ts';
import { Operations } from '../operators/operations.ts';
import { OutboxTargetEntity } from '../targets/outbox-target.entity.ts';
import { LaneRunner } from './lane-runner.ts';
import { type LanesConfig } from './lanes.config.ts';
import { PeriodicTaskEntity } from './periodic-task.entity.ts';

/** The tables the engine itself needs; a service that works lanes off adds them to its own. */
export const LANE_ENTITIES = [OutboxTargetEntity, OutboxActionEntity, PeriodicTaskEntity] as const;

/** For a service that works lanes off: give `LaneRunner` a handler for each. */
@Global()
@Module({})
export class LanesModule implements OnApplicationShutdown {
  constructor(private readonly http: HttpDelivery) {}

  static forRoot(config: LanesConfig): DynamicModule {
    return {
      module: LanesModule,
      providers: [
        { provide: HttpDelivery, useFactory: () => new HttpDelivery(config.httpDelivery) },
        {
          provide: WebhookDelivery,
          useFactory: (http: HttpDelivery) => new WebhookDelivery(http),
          inject: [HttpDelivery],
        },
        Outbox,
        {
          provide: Operations,
          useFactory: (uow: UnitOfWork, outbox: Outbox) => new Operations(uow, outbox),
          inject: [UnitOfWork, Outbox],
        },
        {
          provide: LaneRunner,
          useFactory: (database: Database, outbox: Outbox, log: Log, metrics: Metrics, draining: Draining) =>
            new LaneRunner(database, outbox, config, log, metrics, draining),
          inject: [Database, Outbox, Log, Metrics, Draining],
        },
      ],
      exports: [HttpDelivery, WebhookDelivery, Outbox, Operations, LaneRunner],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
