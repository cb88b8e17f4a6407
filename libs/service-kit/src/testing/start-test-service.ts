import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { signDevToken } from '../auth/dev-token.ts';
import { type Environment, loadConfig } from '../config/load-config.ts';
import type { ServiceConfig } from '../config/service.config.ts';
import { createService, type ServiceDefinition } from '../lifecycle/create-service.ts';
import { Log } from '../logging/log.ts';
import { LogLines } from './log-lines.ts';

export interface TestServiceOptions {
  /** Added to an environment with a free port, a SQLite file and a development key of the test's own. */
  readonly env?: Environment;
}

interface TokenOptions {
  readonly subject?: string;
  readonly scope?: string;
  readonly ttlSeconds?: number;
  readonly audience?: string;
  readonly issuer?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface TestService<C extends ServiceConfig = ServiceConfig> {
  readonly app: NestFastifyApplication;
  readonly config: C;
  readonly url: string;
  readonly folder: string;
  readonly logs: LogLines;
  token(options?: TokenOptions): Promise<string>;
  /** `fetch` against the service; `token` becomes the bearer token and `json` the body. */
  fetch(path: string, init?: RequestInit & { token?: string; json?: unknown }): Promise<Response>;
  close(): Promise<void>;
}

/** Boots a service inside the test process, on a free port and a database file that nobody else has. */
export async function startTestService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  { env = {} }: TestServiceOptions = {},
): Promise<TestService<C>> {
  const folder = mkdtempSync(join(tmpdir(), 'malote-service-'));
  const config = loadConfig(definition.configClass, {
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'debug',
    DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
    DEV_KEY_PATH: join(folder, 'dev-key.pem'),
    ...env,
  });
  const logs = new LogLines();
  const app = await createService(definition, config, new Log(definition.name, config, logs));
  await app.listen(config.port, config.host);
  const url = await app.getUrl();

  return {
    app,
    config,
    url,
    folder,
    logs,
    token: ({ subject = 'partner-a', scope = '', ttlSeconds = 300, audience, issuer, claims = {} } = {}) =>
      signDevToken({
        keyPath: config.devKeyPath,
        issuer: issuer ?? config.jwtIssuer,
        audience: audience ?? config.jwtAudience,
        subject,
        scope,
        ttlSeconds,
        claims,
      }),
    fetch: (path, { token, json, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      return fetch(`${url}${path}`, { ...init, ...body, headers });
    },
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
