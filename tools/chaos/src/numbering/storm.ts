import { setTimeout as sleep } from 'node:timers/promises';
import { type Doom, type Strike } from './plan.ts';
import { type Workers } from './workers.ts';
import { type YearTurn } from './year-turn.ts';

interface Waiting {
  readonly doom: Doom;
  readonly notBeforeMs: number;
}

/** Lets happen what the plan says as the numbers are answered. */
export class Storm {
  private readonly kills: Promise<void>[] = [];
  private dooms: Waiting[] = [];

  constructor(
    private plan: readonly Strike[],
    private readonly workers: Workers,
    private readonly turn: YearTurn,
  ) {}

  reached(answered: number): void {
    const due = this.plan.filter(({ after }) => after <= answered);
    if (due.length === 0) return;
    this.plan = this.plan.slice(due.length);
    for (const strike of due) this.strike(strike);
  }

  /** How the process of the next request dies, if it shall. */
  nextDoom(): Doom | undefined {
    const due = this.dooms.find(({ notBeforeMs }) => notBeforeMs <= Date.now());
    this.dooms = this.dooms.filter((one) => one !== due);
    return due?.doom;
  }

  async end(): Promise<void> {
    await Promise.all(this.kills);
  }

  private strike(strike: Strike): void {
    switch (strike.kind) {
      case 'kill':
        this.kills.push(sleep(strike.delayMs).then(() => this.workers.kill(strike.luck)));
        break;
      case 'doom':
        this.dooms.push({ doom: strike.doom, notBeforeMs: 0 });
        break;
      case 'midnight':
        this.turn.bringOn();
        for (const doom of strike.dooms) this.dooms.push({ doom, notBeforeMs: this.turn.midnightAtMs });
        break;
    }
  }
}
