import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceChild } from '@malote/child-process';
import { type Victim } from './plan.ts';

export type Role = 'ticket-api' | 'outbox-dispatcher';

type Environment = Readonly<Record<string, string>>;

/** Whether a process has work in hand that it would leave undone. */
export type Busy = (role: Role, pid: number) => Promise<boolean>;

const POLL_MS = 10;
const AIM_MS = 500;
const STOP_LIMIT_MS = 15_000;

/** A place in the crew; whoever leaves it is replaced at once. */
interface Place {
  readonly role: Role;
  readonly name: string;
  child: ServiceChild;
  /** While somebody listens there, frozen or not. */
  url: string | undefined;
  frozen: boolean;
}

/** So many processes of each service, whatever happens to them. */
export class Crew {
  kills = 0;
  stops = 0;
  /** What those had to say who ended by themselves. */
  readonly crashes: string[] = [];
  private readonly places: Place[];
  private readonly killed = new Set<ServiceChild>();
  private started = 0;
  private dismissed = false;

  constructor(
    private readonly folder: string,
    private readonly env: Environment,
    sizes: Readonly<Record<Role, number>>,
  ) {
    const roles = (Object.entries(sizes) as [Role, number][]).flatMap(([role, size]) =>
      Array.from({ length: size }, () => role),
    );
    this.places = roles.map((role, n) => {
      const name = `${role}-${n}`;
      const place: Place = { role, name, child: this.hire(role, name), url: undefined, frozen: false };
      void this.keepFilled(place);
      return place;
    });
  }

  async allReady(): Promise<void> {
    while (this.places.some(({ url }) => url === undefined)) await sleep(POLL_MS);
  }

  urls(role: Role): string[] {
    return this.places.flatMap((place) =>
      place.role === role && place.url !== undefined ? [place.url] : [],
    );
  }

  /** Returns the process id of the dead. */
  async kill(victim: Victim, isBusy: Busy): Promise<number> {
    const { child } = await this.choose(victim, isBusy);
    this.killed.add(child);
    child.kill('SIGKILL');
    this.kills += 1;
    await child.ended;
    return child.pid;
  }

  /** Stops one where it is; returns its process id, and what lets it go on, believing that no time has passed. */
  async freeze(victim: Victim, isBusy: Busy): Promise<{ pid: number; thaw: () => void }> {
    const place = await this.choose(victim, isBusy);
    const { child } = place;
    place.frozen = true;
    child.kill('SIGSTOP');
    this.stops += 1;
    const thaw = () => {
      child.kill('SIGCONT');
      place.frozen = false;
    };
    return { pid: child.pid, thaw };
  }

  /** SIGTERM; returns what those had to say who did not end by themselves and in order. */
  async dismiss(): Promise<string[]> {
    const late = sleep(STOP_LIMIT_MS, undefined, { ref: false });
    // One that has just been hired does not listen to signals yet.
    await Promise.race([this.allReady(), late]);
    this.dismissed = true;
    for (const { child } of this.places) child.kill('SIGTERM');
    await Promise.race([Promise.all(this.places.map(({ child }) => child.ended)), late]);
    this.killAll();
    return this.places.filter(({ child }) => child.exitCode !== 0).map(lastWords);
  }

  killAll(): void {
    this.dismissed = true;
    for (const { child } of this.places) if (child.isAlive) child.kill('SIGKILL');
  }

  /** One of those who are busy; after a while one of those who could be. */
  private async choose({ role, luck }: Victim, isBusy: Busy): Promise<Place> {
    const until = performance.now() + AIM_MS;
    for (;;) {
      const busy = await Promise.all(
        this.able(role).map(async ({ child }) => (await isBusy(role, child.pid)) && child),
      );
      // Somebody may have died while we looked.
      const able = this.able(role).filter(({ child }) => busy.includes(child) || performance.now() > until);
      const one = able[Math.floor(luck * able.length)];
      if (one) return one;
      await sleep(POLL_MS);
    }
  }

  private able(role: Role): Place[] {
    return this.places.filter((place) => place.role === role && place.url !== undefined && !place.frozen);
  }

  private async keepFilled(place: Place): Promise<void> {
    for (;;) {
      const { child, role, name } = place;
      // One that ends before it listens is found out below.
      place.url = await child.url().catch(() => undefined);
      await child.ended;
      place.url = undefined;
      if (this.dismissed) return;
      if (!this.killed.has(child)) this.crashes.push(lastWords(place));
      place.child = this.hire(role, name);
    }
  }

  private hire(role: Role, name: string): ServiceChild {
    return new ServiceChild({
      entry: `apps/${role}/src/main.ts`,
      env: { ...this.env, PORT: '0' },
      logFile: join(this.folder, `${name}.${(this.started += 1)}.log`),
    });
  }
}

function lastWords({ name, child }: Place): string {
  return `${name}: ${child.log().slice(-500)}`;
}
