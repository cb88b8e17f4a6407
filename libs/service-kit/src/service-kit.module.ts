import { randomUUID } from 'node:crypto';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ScheduleModule } from '@nestjs/schedule';
import { AccessDeclaredCheck } from './auth/access-declared.check.ts';
import { JwtGuard } from './auth/jwt.guard.ts';
import { jwtStrategy } from './auth/jwt.strategy.ts';
import { keySource, KeySource } from './auth/key-source.ts';
import { ServiceConfig } from './config/service.config.ts';
import { DatabaseCheck } from './health/database-check.ts';
import { HealthController } from './health/health.controller.ts';
import { Readiness } from './health/readiness.ts';
import { DtoPipe } from './http/dto.pipe.ts';
import { Draining } from './lifecycle/draining.ts';
import { Log } from './logging/log.ts';
import { OutageLog } from './logging/outage-log.ts';
import { HttpMetrics } from './metrics/http-metrics.ts';
import { MetricsController } from './metrics/metrics.controller.ts';
import { Metrics } from './metrics/metrics.ts';
import { MetricsServer } from './metrics/metrics.server.ts';
import { ProblemFilter } from './problem/problem.filter.ts';

/** What every service has. `createService` adds it around the service's own module. */
@Global()
@Module({})
export class ServiceKitModule {
  static forRoot(config: ServiceConfig, log: Log): DynamicModule {
    const strategyName = `jwt-${randomUUID()}`;
    const hasMetricsPort = config.metricsPort !== undefined;
    return {
      module: ServiceKitModule,
      imports: [
        DiscoveryModule,
        ScheduleModule.forRoot(),
        PassportModule.register({ defaultStrategy: strategyName, property: 'caller', session: false }),
      ],
      controllers: [HealthController, ...(hasMetricsPort ? [] : [MetricsController])],
      providers: [
        { provide: ServiceConfig, useValue: config },
        { provide: config.constructor, useValue: config },
        { provide: Log, useValue: log },
        { provide: KeySource, useFactory: () => keySource(config) },
        jwtStrategy(strategyName),
        AccessDeclaredCheck,
        Draining,
        DatabaseCheck,
        Readiness,
        OutageLog,
        Metrics,
        HttpMetrics,
        ...(hasMetricsPort ? [MetricsServer] : []),
        { provide: APP_GUARD, useClass: JwtGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [ServiceConfig, config.constructor as never, Log, Draining, Readiness, Metrics],
    };
  }
}
