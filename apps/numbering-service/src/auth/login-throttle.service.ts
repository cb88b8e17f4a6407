import { type Tx, UnitOfWork } from '@malote/persistence';
import { HttpProblem } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { type Counter, type ThrottleKey, waitMs } from './login-throttle.ts';
import { type CountedFailure, LoginThrottleRepository } from './login-throttle.repository.ts';

export interface Attempt {
  readonly isRight: boolean;
  readonly counted: readonly CountedFailure[];
}

/** Guesses cost time. An attempt is counted before its password is looked at, so that a thousand at once are no way around. */
@Injectable()
export class LoginThrottle {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly counters: LoginThrottleRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares a password, unless one of the keys must wait; then nothing is compared and nothing counts. The attempt counts as
   * failed from before the comparison until `succeed`.
   */
  async attempt(keys: readonly ThrottleKey[], compare: () => Promise<boolean>): Promise<Attempt> {
    const counted = await this.begin(keys);
    try {
      return { counted, isRight: await compare() };
    } catch (error) {
      // Nobody looked at the password.
      await this.uow.run(async (tx) => {
        for (const failure of counted) await this.counters.takeBack(tx, failure);
      });
      throw error;
    }
  }

  /** Who knows the password clears their own counters; an address is shared, and only this attempt is taken back. */
  async succeed(tx: Tx, { counted }: Attempt): Promise<void> {
    for (const failure of counted) {
      if (failure.kind === 'address') await this.counters.takeBack(tx, failure);
      else await this.counters.reset(tx, failure, this.clock.now());
    }
  }

  private async begin(keys: readonly ThrottleKey[]): Promise<readonly CountedFailure[]> {
    const now = this.clock.now();
    // Whoever must wait leaves no rows behind, however many addresses they make up.
    const due = waitMs(await this.uow.read((tx) => this.counters.look(tx, keys)), now);
    if (due > 0) throw tooManyAttempts(due);
    const begun = await this.uow.run(async (tx) => {
      const counters: Counter[] = [];
      for (const key of keys) counters.push(await this.counters.lock(tx, key));
      const wait = waitMs(counters, now);
      if (wait > 0) return wait;
      const counted: CountedFailure[] = [];
      for (const counter of counters) counted.push(await this.counters.count(tx, counter, now));
      return counted;
    });
    if (typeof begun === 'number') throw tooManyAttempts(begun);
    return begun;
  }
}

function tooManyAttempts(waitingMs: number): HttpProblem {
  return new HttpProblem(
    429,
    'too-many-attempts',
    'Too many attempts have failed; wait before the next one',
    {
      'retry-after': String(Math.ceil(waitingMs / 1000)),
    },
  );
}
