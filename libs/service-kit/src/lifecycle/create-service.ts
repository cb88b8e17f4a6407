import '../http/request-fields.ts';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { askForTokensFirst } from '../auth/token-first.hook.ts';
import type { ServiceConfig } from '../config/service.config.ts';
import { serveDocs } from '../docs/docs.routes.ts';
import { observeRequests } from '../http/access.hook.ts';
import { acceptStrictJson } from '../http/json-body.parser.ts';
import { KnownRoutes } from '../http/known-routes.ts';
import { trackContext } from '../http/request-context.hook.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { serverOptions } from '../http/server-options.ts';
import { answerUnmatched, sendAround } from '../http/unmatched.hook.ts';
import type { Log } from '../logging/log.ts';
import { NestLog } from '../logging/nest-log.ts';
import { HttpMetrics } from '../metrics/http-metrics.ts';
import { ServiceKitModule } from '../service-kit.module.ts';
import { Draining } from './draining.ts';
import { cutSilentConnections } from './silent-connections.ts';

export interface ServiceDefinition<C extends ServiceConfig> {
  readonly name: string;
  /** One sentence for the head of the API documentation. */
  readonly description: string;
  readonly configClass: new () => C;
  readonly module: (config: C) => Type | DynamicModule;
}

@Module({})
class RootModule {}

/** The whole service, ready to listen. */
export async function createService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  log: Log,
): Promise<NestFastifyApplication> {
  const adapter: FastifyAdapter = new FastifyAdapter(
    serverOptions(config, (error, request, reply) => {
      sendAround(adapter.getInstance(), error, request, reply);
    }),
  );
  const routes = new KnownRoutes();
  routes.watch(adapter.getInstance());

  const app = await NestFactory.create<NestFastifyApplication>(
    {
      module: RootModule,
      imports: [ServiceKitModule.forRoot(config, log), definition.module(config)],
    },
    adapter,
    { logger: new NestLog(log), bodyParser: false, abortOnError: false },
  );
  const fastify = adapter.getInstance();
  cutSilentConnections(fastify);
  acceptStrictJson(fastify);
  trackContext(fastify, app.get(Draining));
  observeRequests(fastify, log, app.get(HttpMetrics));
  addSecurityHeaders(fastify);
  answerUnmatched(fastify, routes);
  askForTokensFirst(app);
  await serveDocs(app, definition);
  return app;
}
