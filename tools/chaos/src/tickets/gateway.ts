import { join } from 'node:path';
import { ServiceChild } from '@malote/child-process';
import { type Faults } from './weather.ts';

/** An entry of the sandbox's ledger, as far as a judge looks at it. */
export interface LedgerEntry {
  readonly sequence: number;
  /** Of its arrival. */
  readonly time: string;
  readonly kind: string;
  readonly decision: string;
  readonly businessEntity?: string;
  readonly businessDocId?: string;
  readonly phaseCode?: number;
  readonly idempotencyKey?: string;
  readonly bodyDigest?: string;
  readonly reason?: string;
  readonly fault?: string;
  readonly callback?: { readonly status: string; readonly settledAt?: string };
}

type Summary = Readonly<
  Record<string, Readonly<Record<string, { readonly decisions: Readonly<Record<string, number>> }>>>
>;

const PAGE = 10_000;

/** The outside world, in a process nobody kills. */
export class Gateway {
  private constructor(
    private readonly sandbox: ServiceChild,
    private readonly sandboxUrl: string,
  ) {}

  static async start(folder: string, callbackUrl: string): Promise<Gateway> {
    const sandbox = new ServiceChild({
      entry: 'tools/sandbox/src/main.ts',
      env: { PORT: '0', CALLBACK_URL: callbackUrl },
      logFile: join(folder, 'sandbox.log'),
    });
    return new Gateway(sandbox, await sandbox.url());
  }

  get url(): string {
    return `${this.sandboxUrl}/gateway`;
  }

  /** Names that are left out go back to fair weather. */
  async turn(faults: Faults): Promise<void> {
    await this.ask('/faults/gateway', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
  }

  async ledger(): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: unknown = await this.ask(`/ledger?limit=${PAGE}&after=${after}`);
      const { entries: found, next } = page as { entries: readonly LedgerEntry[]; next: number | null };
      entries.push(...found);
      after = next;
    }
    return entries;
  }

  /** Callbacks that are still to come. */
  async pendingCallbacks(): Promise<number> {
    const summary = (await this.ask('/ledger/summary')) as Summary;
    return summary.gateway?.callback?.decisions.pending ?? 0;
  }

  async end(): Promise<void> {
    await this.sandbox.end();
  }

  private async ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const answer = await fetch(`${this.sandboxUrl}${path}`, init);
    if (!answer.ok)
      throw new Error(`The sandbox answered ${answer.status} to ${path}: ${await answer.text()}`);
    return answer.json();
  }
}
