import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@malote/app-error';
import { Database, isDatabaseOutage } from '@malote/persistence';
import { Injectable, Optional } from '@nestjs/common';
import { Draining } from '../lifecycle/draining.ts';
import { Log } from '../logging/log.ts';
import { DatabaseCheck } from './database-check.ts';

export interface CheckResult {
  readonly status: 'ok' | 'failed';
  readonly code?: string;
}

export interface ReadinessReport {
  readonly status: 'ready' | 'not-ready';
  readonly checks: Readonly<Record<string, CheckResult>>;
}

type Check = () => Promise<void>;
type Outcome =
  { readonly isOk: true } | { readonly isOk: false; readonly code: string; readonly err: unknown };

const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 2000;

/** Whether this replica should get traffic. Probes come from everywhere, so one look at the database serves them for a second. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, Check>();
  private readonly red = new Set<string>();
  private results: Promise<[string, CheckResult][]> | undefined;
  private expiresAtMs = 0;

  constructor(
    private readonly draining: Draining,
    private readonly log: Log,
    @Optional() database?: Database,
    @Optional() databaseCheck?: DatabaseCheck,
  ) {
    if (!database) return;
    this.add('database', () => database.ping());
    this.add('schema', async () => {
      await database.checkSchema();
      await databaseCheck?.passes();
    });
  }

  /** Only what the service itself cannot do without; never a partner's endpoint. */
  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  async report(): Promise<ReadinessReport> {
    const shutdown: CheckResult = this.draining.active
      ? { status: 'failed', code: 'draining' }
      : { status: 'ok' };
    const checks = Object.fromEntries([...(await this.cachedResults()), ['shutdown', shutdown]]) as Record<
      string,
      CheckResult
    >;
    const isReady = Object.values(checks).every(({ status }) => status === 'ok');
    return { status: isReady ? 'ready' : 'not-ready', checks };
  }

  private cachedResults(): Promise<[string, CheckResult][]> {
    const nowMs = performance.now();
    if (!this.results || nowMs >= this.expiresAtMs) {
      this.expiresAtMs = nowMs + CHECK_TIMEOUT_MS + CACHE_MS;
      this.results = this.runChecks().finally(() => {
        this.expiresAtMs = performance.now() + CACHE_MS;
      });
    }
    return this.results;
  }

  private runChecks(): Promise<[string, CheckResult][]> {
    return Promise.all(
      [...this.checks].map(async ([name, check]): Promise<[string, CheckResult]> => {
        const outcome = await runCheck(check);
        this.logChange(name, outcome);
        return [name, outcome.isOk ? { status: 'ok' } : { status: 'failed', code: outcome.code }];
      }),
    );
  }

  /** Probes see a code; the reason is for the log, once per change and not once per probe. An outage of the database has its own line. */
  private logChange(check: string, outcome: Outcome): void {
    if (outcome.isOk) {
      if (this.red.delete(check)) this.log.info('Readiness check passes again', { check });
    } else if (!this.red.has(check) && !isDatabaseOutage(outcome.err)) {
      this.red.add(check);
      this.log.warn('Readiness check fails', { check, code: outcome.code, err: outcome.err });
    }
  }
}

async function runCheck(check: Check): Promise<Outcome> {
  const timer = new AbortController();
  const timeout = sleep(CHECK_TIMEOUT_MS, 'timeout' as const, { signal: timer.signal, ref: false });
  // The timer is called off once the check is done; nobody waits for it then.
  timeout.catch(() => undefined);
  try {
    const winner = await Promise.race([check(), timeout]);
    if (winner !== 'timeout') return { isOk: true };
    return { isOk: false, code: 'timeout', err: new Error(`No answer within ${CHECK_TIMEOUT_MS} ms`) };
  } catch (err) {
    return { isOk: false, code: err instanceof AppError ? err.code : 'error', err };
  } finally {
    timer.abort();
  }
}
