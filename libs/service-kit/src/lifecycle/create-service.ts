import '../http/request-fields.ts';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import { serveDocs } from '../docs/docs.routes.ts';
import { observeRequests, observeResponse } from '../http/access.hook.ts';
import { acceptStrictJson } from '../http/json-body.parser.ts';
import { KnownRoutes } from '../http/known-routes.ts';
import { trackContext } from '../http/request-context.hook.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { serverOptions } from '../http/server-options.ts';
import { answerUnmatched } from '../http/unmatched.hook.ts';
import type { Log } from '../logging/log.ts';
import { NestLog } from '../logging/nest-log.ts';
import { HttpMetrics } from '../metrics/http-metrics.ts';
import { sendProblem } from '../problem/send-problem.ts';
import { ServiceKitModule } from '../service-kit.module.ts';
import { Draining } from './draining.ts';

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
  let observe: (request: FastifyRequest, reply: FastifyReply) => void = () => undefined;
  const adapter = new FastifyAdapter(
    serverOptions(config, (error, request, reply) => {
      // The router refuses such a request before any hook sees it.
      reply.raw.once('finish', () => {
        observe(request, reply);
      });
      sendProblem(error, request, reply, log);
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
  const metrics = app.get(HttpMetrics);
  observe = (request, reply) => {
    observeResponse(request, reply, log, metrics);
  };

  const fastify = adapter.getInstance();
  acceptStrictJson(fastify);
  trackContext(fastify, app.get(Draining));
  observeRequests(fastify, log, metrics);
  await addSecurityHeaders(app);
  answerUnmatched(fastify, routes);
  await serveDocs(app, definition);
  return app;
}
