import { createServer, type Server } from 'node:http';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceConfig } from '../config/service.config.ts';
import { Log } from '../logging/log.ts';
import { Metrics } from './metrics.ts';

/** Serves `/metrics` on METRICS_PORT, away from the port that partners reach. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly server: Server;

  constructor(
    private readonly config: ServiceConfig,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.server = createServer(({ method, url = '' }, response) => {
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead || url.split('?', 1)[0] !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      metrics.render().then(
        (text) => {
          const headers = {
            'content-type': metrics.contentType,
            'content-length': Buffer.byteLength(text),
          };
          // Node leaves the body out of an answer to HEAD.
          response.writeHead(200, headers).end(text);
        },
        (error: unknown) => {
          this.log.error('Metrics could not be rendered', { err: error });
          response.writeHead(500).end();
        },
      );
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.config.metricsPort, this.config.host, resolve);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }
}
