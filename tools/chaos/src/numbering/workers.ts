import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '@malote/child-process';
import { SeededRandom } from '../seeded-random.ts';
import { type Doom } from './plan.ts';
import { type Wish } from './wish.ts';

export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly skewMs: number;
}

export interface Order {
  readonly wish: Wish;
  readonly midnightAtMs: number;
  readonly doom?: Doom;
}

export interface Given {
  readonly number: number;
  readonly year: number;
  readonly outcome: 'created' | 'unchanged';
}

/** A place in the crew; whoever leaves it is replaced at once. */
export interface Worker {
  readonly settings: WorkerSettings;
  child: Child;
  /** While somebody listens there. */
  url: string | undefined;
  /** How it was told to die. */
  doom: Doom | undefined;
}

const FILE = join(import.meta.dirname, 'worker-process.ts');
const POLL_MS = 5;
/** Clocks of machines differ by this much, each way. */
const MAX_SKEW_MS = 50;
/** Processes that end by themselves are a defect; so many show that there is no use in going on. */
const MAX_CRASHES = 20;

/** So many processes, whatever happens to them. */
export class Workers {
  kills = 0;
  midTransactionKills = 0;
  unansweredKills = 0;
  readonly crashes: string[] = [];
  private readonly crew: readonly Worker[];
  private readonly killed = new Set<Child>();
  private dismissed = false;

  constructor(size: number, databaseUrl: string, seed: number) {
    const random = new SeededRandom(seed);
    this.crew = Array.from({ length: size }, () => {
      const settings = { databaseUrl, skewMs: Math.round(random.between(-MAX_SKEW_MS, MAX_SKEW_MS)) };
      const child = new Child(FILE, settings);
      return { settings, child, url: undefined, doom: undefined };
    });
    for (const worker of this.crew) void this.keepFilled(worker);
  }

  /** One of those who listen, as soon as there are any. */
  async choose(luck: number, isAble = listens): Promise<Worker> {
    for (;;) {
      const able = this.crew.filter(isAble);
      const one = able[Math.floor(luck * able.length)];
      if (one) return one;
      if (this.crashes.length >= MAX_CRASHES) throw new Error(`Workers crash: ${this.crashes.join(', ')}`);
      await sleep(POLL_MS);
    }
  }

  async allReady(): Promise<void> {
    while (!this.crew.every(listens) && this.crashes.length < MAX_CRASHES) await sleep(POLL_MS);
  }

  async kill(luck: number): Promise<void> {
    const worker = await this.choose(luck, isCarefree);
    const { child } = worker;
    worker.url = undefined;
    this.killed.add(child);
    child.kill('SIGKILL');
    await child.ended;
  }

  async end(): Promise<void> {
    this.dismissed = true;
    for (const { child } of this.crew) child.kill('SIGKILL');
    await Promise.all(this.crew.map(({ child }) => child.ended));
  }

  private async keepFilled(worker: Worker): Promise<void> {
    for (;;) {
      const { child } = worker;
      const port = await child.ready;
      if (typeof port === 'number') worker.url = `http://127.0.0.1:${port}`;
      await child.ended;
      worker.url = undefined;
      if (this.dismissed) return;
      this.countDeath(worker);
      if (this.crashes.length >= MAX_CRASHES) return;
      worker.doom = undefined;
      worker.child = new Child(FILE, worker.settings);
    }
  }

  private countDeath({ child, doom }: Worker): void {
    if (this.killed.has(child)) this.kills += 1;
    else if (doom === undefined || child.exitCode !== null)
      this.crashes.push(`exit code ${String(child.exitCode)}`);
    else if (doom === 'unanswered') this.unansweredKills += 1;
    else this.midTransactionKills += 1;
  }
}

function listens({ url }: Worker): boolean {
  return url !== undefined;
}

/** Nobody dies of two causes. */
export function isCarefree(worker: Worker): boolean {
  return listens(worker) && worker.doom === undefined;
}
