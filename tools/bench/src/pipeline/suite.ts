import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ServiceChild } from '@malote/child-process';
import { signDevToken } from '@malote/service-kit';

const ISSUER = 'malote-bench';

/** ticket-api, dispatcher and sandbox, wired to each other on one embedded database. */
export class Suite {
  private constructor(
    private readonly folder: string,
    private readonly children: readonly ServiceChild[],
    readonly ticketApiUrl: string,
    private readonly sandboxUrl: string,
  ) {}

  static async start(): Promise<Suite> {
    const folder = mkdtempSync(join(tmpdir(), 'malote-bench-'));
    const env = {
      DATABASE_URL: databaseUrl(folder),
      DEV_KEY_PATH: keyPath(folder),
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: ISSUER,
    };
    const start = (name: string, entry: string, more: Record<string, string>) =>
      new ServiceChild({ entry, env: { ...env, ...more }, logFile: join(folder, `${name}.log`) });
    // Both need the other's address; ports that were free a moment ago will do.
    const [apiPort, sandboxPort] = [await freePort(), await freePort()].map(String) as [string, string];
    const gateway = { GATEWAY_URL: `http://127.0.0.1:${sandboxPort}/gateway` };
    const sandbox = start('sandbox', 'tools/sandbox/src/main.ts', {
      PORT: sandboxPort,
      CALLBACK_URL: `http://127.0.0.1:${apiPort}/api/tickets/callback`,
    });
    const api = start('ticket-api', 'apps/ticket-api/src/main.ts', { PORT: apiPort, ...gateway });
    const dispatcher = start('dispatcher', 'apps/outbox-dispatcher/src/main.ts', { PORT: '0', ...gateway });
    const [apiUrl, sandboxUrl] = await Promise.all([api.url(), sandbox.url(), dispatcher.url()]);
    return new Suite(folder, [dispatcher, api, sandbox], apiUrl, sandboxUrl);
  }

  get databaseUrl(): string {
    return databaseUrl(this.folder);
  }

  /** Without the while a gateway takes to think. */
  async callBackAtOnce(): Promise<void> {
    await fetch(`${this.sandboxUrl}/faults/gateway`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ callbackDelayMs: [0, 0] }),
    });
  }

  token(): Promise<string> {
    return signDevToken({
      keyPath: keyPath(this.folder),
      issuer: ISSUER,
      audience: ISSUER,
      subject: 'bench',
      scope: 'tickets:write',
      ttlSeconds: 3_600,
    });
  }

  async end(): Promise<void> {
    for (const child of this.children) await child.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function databaseUrl(folder: string): string {
  return `sqlite:${join(folder, 'bench.db')}`;
}

function keyPath(folder: string): string {
  return join(folder, 'key.pem');
}
