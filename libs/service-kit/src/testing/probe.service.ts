import { PersistenceModule } from '@malote/persistence';
import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Env } from '../config/env.decorator.ts';
import { ServiceConfig } from '../config/service.config.ts';
import type { ServiceDefinition } from '../lifecycle/create-service.ts';
import { Draining } from '../lifecycle/draining.ts';
import { Log } from '../logging/log.ts';
import { ProbeController } from './probe.controller.ts';

export class ProbeConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3999' })
  declare readonly port: number;
}

/** Says in the log when each step of the shutdown reaches it. */
@Injectable()
class ProbeWorker implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly log: Log,
    draining: Draining,
  ) {
    draining.signal.addEventListener('abort', () => {
      this.log.info('worker stops claiming');
    });
  }

  beforeApplicationShutdown(): void {
    this.log.info('worker drained');
  }

  onApplicationShutdown(): void {
    this.log.info('server closed');
  }
}

@Module({})
class ProbeModule {}

export const probeService: ServiceDefinition<ProbeConfig> = {
  name: 'probe',
  description: 'Exercises the kit.',
  configClass: ProbeConfig,
  module: (config) => ({
    module: ProbeModule,
    imports: [PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: [] })],
    controllers: [ProbeController],
    providers: [ProbeWorker],
  }),
};
