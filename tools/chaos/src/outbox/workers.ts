import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '@malote/child-process';
import { type SeededRandom } from '../seeded-random.ts';

export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly leaseMs: number;
  readonly pollCeilingMs: number;
  readonly timeoutMs: number;
}

export type WorkerNews =
  | { readonly kind: 'started' }
  | { readonly kind: 'lost-lease'; readonly count: number }
  | { readonly kind: 'troubled'; readonly text: string };

const FILE = join(import.meta.dirname, 'worker-process.ts');
const STOP_LIMIT_MS = 15_000;

/** The crew: always so many processes, whatever happens to them. */
export class Workers {
  lostLeases = 0;
  kills = 0;
  stops = 0;
  readonly troubles: string[] = [];
  private crew: Child[];

  constructor(
    size: number,
    private readonly settings: WorkerSettings,
    private readonly random: SeededRandom,
  ) {
    this.crew = Array.from({ length: size }, () => this.hire());
  }

  async allReady(): Promise<void> {
    await Promise.all(this.crew.map(({ ready }) => ready));
  }

  get pids(): number[] {
    return this.crew.filter(({ isReady, isFrozen }) => isReady && !isFrozen).map(({ pid }) => pid);
  }

  /** Kills one that was at work and starts another in its place at once; returns its process id. */
  async killOne(pid?: number): Promise<number> {
    const victim = await this.chooseOne(pid);
    victim.kill('SIGKILL');
    this.kills += 1;
    await victim.ended;
    this.crew = this.crew.map((child) => (child === victim ? this.hire() : child));
    return victim.pid;
  }

  /** Freezes one for so long; it wakes up believing that no time has passed. */
  async freezeOne(ms: number, pid?: number): Promise<void> {
    const victim = await this.chooseOne(pid);
    victim.kill('SIGSTOP');
    this.stops += 1;
    await sleep(ms);
    victim.kill('SIGCONT');
  }

  /** SIGTERM; true when every one of them ended by itself and in order. */
  async dismiss(): Promise<boolean> {
    // One that has just been hired does not listen to signals yet.
    await this.allReady();
    for (const child of this.crew) child.kill('SIGTERM');
    const late = sleep(STOP_LIMIT_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.crew.map(({ ended }) => ended)), late]);
    const clean = this.crew.every(({ exitCode }) => exitCode === 0);
    this.killAll();
    return clean;
  }

  killAll(): void {
    for (const child of this.crew) if (child.isAlive) child.kill('SIGKILL');
  }

  private async chooseOne(pid?: number): Promise<Child> {
    for (;;) {
      const able = this.crew.filter(({ isReady, isFrozen }) => isReady && !isFrozen);
      const one = pid === undefined ? this.random.pick(able) : able.find((child) => child.pid === pid);
      if (one) return one;
      if (pid !== undefined) throw new Error(`No worker ${pid} to choose`);
      await sleep(20);
    }
  }

  private hire(): Child {
    const child = new Child(FILE, this.settings);
    child.onMessage((message) => {
      const news = message as WorkerNews;
      if (news.kind === 'lost-lease') this.lostLeases += news.count;
      if (news.kind === 'troubled') this.troubles.push(news.text);
    });
    return child;
  }
}
