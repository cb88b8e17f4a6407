import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '@malote/child-process';
import { type SeededRandom } from '../seeded-random.ts';

export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly isAskable: boolean;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** How long a request may take. */
  readonly patienceMs: number;
  /** On an askable lane: for how long the sink has to say that it does not have a message. */
  readonly quietMs: number;
  /** What a worker that is told to stop may still finish. */
  readonly drainMs: number;
}

export type WorkerNews =
  | { readonly kind: 'started' }
  /** With this message ready to leave. */
  | { readonly kind: 'freezing'; readonly messageKey: string }
  | { readonly kind: 'needs-human' }
  | { readonly kind: 'lost-lease'; readonly count: number }
  | { readonly kind: 'troubled'; readonly text: string };

const FILE = join(import.meta.dirname, 'worker-process.ts');
const STOP_LIMIT_MS = 15_000;
/** In this time a worker that has anything to send has begun to. */
const NEXT_SEND_MS = 2_000;

/** The crew: always so many processes, whatever happens to them. */
export class Workers {
  lostLeases = 0;
  kills = 0;
  stops = 0;
  restarts = 0;
  humansCalled = 0;
  /** Those who were told to stop, and ended in another way or not at all. */
  disorderly = 0;
  readonly troubles: string[] = [];
  private crew: Child[];
  private readonly leaving = new Set<Child>();
  /** Chosen to be killed, frozen or told to stop; nobody suffers two things at once. */
  private readonly chosen = new Set<Child>();

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

  /** Resolves when at least half of them are at work: whoever is struck at once after its start has nothing to lose. */
  async halfAtWork(): Promise<void> {
    while (this.able.length < this.crew.length / 2) await sleep(20);
  }

  /** Of those who are at work. */
  get pids(): number[] {
    return this.able.map(({ pid }) => pid);
  }

  /** Kills one and starts another in its place at once; returns its process id. */
  async killOne(pid?: number): Promise<number> {
    const victim = await this.chooseOne(pid);
    victim.kill('SIGKILL');
    this.kills += 1;
    await victim.ended;
    this.replace(victim);
    return victim.pid;
  }

  /** Freezes one for so long; it wakes up believing that no time has passed. */
  async freezeOne(ms: number, pid?: number): Promise<void> {
    const victim = await this.chooseOne(pid);
    victim.kill('SIGSTOP');
    this.stops += 1;
    await sleep(ms);
    await this.thaw(victim);
  }

  /** Freezes one just before its next message leaves, as long as `until` takes; false: it had none to send. */
  async freezeOneAtSend(until: (messageKey: string) => Promise<void>, pid?: number): Promise<boolean> {
    const victim = await this.chooseOne(pid);
    const freezing = new Promise<string>((resolve) => {
      victim.onMessage((message) => {
        const news = message as WorkerNews;
        if (news.kind === 'freezing') resolve(news.messageKey);
      });
    });
    victim.kill('SIGUSR2');
    const messageKey = await Promise.race([freezing, sleep(NEXT_SEND_MS, undefined, { ref: false })]);
    if (messageKey === undefined) {
      // It will yet freeze, some time or other.
      victim.kill('SIGKILL');
      await victim.ended;
      this.replace(victim);
      return false;
    }
    this.stops += 1;
    await until(messageKey);
    await this.thaw(victim);
    return true;
  }

  /** A rolling deployment: one is told to stop while its successor starts. */
  async restartOne(pid?: number): Promise<void> {
    const leaver = await this.chooseOne(pid);
    this.replace(leaver);
    this.restarts += 1;
    await this.tellToStop([leaver]);
  }

  /** SIGTERM to all. */
  async dismiss(): Promise<void> {
    // One that has just been hired does not listen to signals yet.
    await this.allReady();
    await this.tellToStop(this.crew);
  }

  killAll(): void {
    for (const child of [...this.crew, ...this.leaving]) if (child.isAlive) child.kill('SIGKILL');
  }

  private async tellToStop(children: readonly Child[]): Promise<void> {
    for (const child of children) {
      this.leaving.add(child);
      child.kill('SIGTERM');
    }
    const late = sleep(STOP_LIMIT_MS, undefined, { ref: false });
    await Promise.race([Promise.all(children.map(({ ended }) => ended)), late]);
    for (const child of children) {
      this.leaving.delete(child);
      if (child.exitCode !== 0) this.disorderly += 1;
      if (child.isAlive) child.kill('SIGKILL');
    }
  }

  private async thaw(victim: Child): Promise<void> {
    victim.kill('SIGCONT');
    // It finds out, and tells, what it has lost before anything else befalls it.
    await sleep(this.settings.leaseMs);
    this.chosen.delete(victim);
  }

  private get able(): Child[] {
    return this.crew.filter((child) => child.isReady && child.isAlive && !this.chosen.has(child));
  }

  private async chooseOne(pid?: number): Promise<Child> {
    for (;;) {
      const { able } = this;
      const one = able.find((child) => child.pid === pid) ?? this.random.pick(able);
      if (one) {
        this.chosen.add(one);
        return one;
      }
      await sleep(20);
    }
  }

  private replace(leaver: Child): void {
    this.crew = this.crew.map((child) => (child === leaver ? this.hire() : child));
    this.chosen.delete(leaver);
  }

  private hire(): Child {
    const child = new Child(FILE, this.settings);
    child.onMessage((message) => {
      this.learn(message as WorkerNews);
    });
    return child;
  }

  private learn(news: WorkerNews): void {
    switch (news.kind) {
      case 'lost-lease':
        this.lostLeases += news.count;
        return;
      case 'needs-human':
        this.humansCalled += 1;
        return;
      case 'troubled':
        this.troubles.push(news.text);
        return;
      default:
        return;
    }
  }
}
