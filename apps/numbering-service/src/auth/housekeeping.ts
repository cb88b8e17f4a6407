import { UnitOfWork } from '@malote/persistence';
import { Log } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../clock.ts';
import { LoginThrottleRepository } from './login-throttle.repository.ts';
import { TRUST_MS } from './login-throttle.ts';
import { SessionRepository } from './session.repository.ts';

const HOUR_MS = 3_600_000;
/** How long it can be seen who was logged in. */
const KEEP_SESSIONS_MS = 90 * 24 * HOUR_MS;

/** Every replica does it, and finds nothing where another was first. */
@Injectable()
export class AuthHousekeeping {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: SessionRepository,
    private readonly throttles: LoginThrottleRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @Interval(HOUR_MS)
  async tidy(): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      const deleted = await this.uow.run(async (tx) => ({
        sessions: await this.sessions.deleteOverSince(tx, new Date(now - KEEP_SESSIONS_MS)),
        throttles: await this.throttles.deleteUntouchedSince(tx, new Date(now - TRUST_MS)),
      }));
      if (deleted.sessions + deleted.throttles > 0) this.log.info('Old sessions deleted', deleted);
    } catch (err) {
      this.log.warn('Old sessions could not be deleted; the next hour tries again', { err });
    }
  }
}
