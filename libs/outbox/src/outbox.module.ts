import { UnitOfWork } from '@malote/persistence';
import { Draining, Log, Metrics } from '@malote/service-kit';
import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { HttpSender } from './http-sender.ts';
import { LaneRunner } from './lane-runner.ts';
import { OutboxActionEntity } from './outbox-action.entity.ts';
import { OutboxTargetEntity } from './outbox-target.entity.ts';
import { type OutboxConfig } from './outbox.config.ts';
import { Outbox } from './outbox.ts';
import { PeriodicTaskEntity } from './periodic-task.entity.ts';

/** The tables the engine itself needs; a service that works lanes off adds them to its own. */
export const LANE_ENTITIES = [OutboxTargetEntity, OutboxActionEntity, PeriodicTaskEntity] as const;

/** For a service that works lanes off: give `LaneRunner` a handler for each. */
@Global()
@Module({})
export class OutboxModule implements OnApplicationShutdown {
  constructor(private readonly sender: HttpSender) {}

  static forRoot(config: OutboxConfig): DynamicModule {
    return {
      module: OutboxModule,
      providers: [
        { provide: HttpSender, useFactory: () => new HttpSender(config.httpSender) },
        { provide: Outbox, useFactory: (uow: UnitOfWork) => new Outbox(uow), inject: [UnitOfWork] },
        {
          provide: LaneRunner,
          useFactory: (uow: UnitOfWork, outbox: Outbox, log: Log, metrics: Metrics, draining: Draining) =>
            new LaneRunner(uow, outbox, config, log, metrics, draining),
          inject: [UnitOfWork, Outbox, Log, Metrics, Draining],
        },
      ],
      exports: [HttpSender, Outbox, LaneRunner],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sender.close();
  }
}
