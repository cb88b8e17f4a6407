import { AppError } from '@malote/app-error';
import { Database, type Finding } from '@malote/persistence';
import { Inject, Injectable, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { Log } from '../logging/log.ts';

const LOOK_AGAIN_MS = 10_000;
const LEVELS = { refuse: 'error', warn: 'warn', info: 'info' } as const;
const CLOCK = Symbol('clock');

/**
 * Looks at the database once, when the service starts or as soon as the database is there, and tells what a DBA should know. While
 * something is refused the service is not ready and looks again now and then: a DBA mends it, nobody has to restart anything.
 */
@Injectable()
export class DatabaseCheck implements OnApplicationBootstrap {
  private findings: readonly Finding[] | undefined;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;
  private readonly told = new Set<string>();

  constructor(
    private readonly log: Log,
    @Optional() private readonly database?: Database,
    @Optional() @Inject(CLOCK) private readonly now: () => number = () => performance.now(),
  ) {}

  onApplicationBootstrap(): void {
    // Readiness asks for the outcome; here it only begins.
    this.passes().catch(() => undefined);
  }

  /** Rejects while the database cannot be asked, or has what ordinary statements of the service fail with. */
  async passes(): Promise<void> {
    const { database } = this;
    if (!database) return;
    if (this.isDue()) this.looking ??= this.look(database).finally(() => (this.looking = undefined));
    await this.looking;
    const refused = this.refused().map(({ text }) => text);
    if (refused.length > 0) {
      throw new AppError('unavailable', 'database-unfit', refused.join(' '), { retryAfterSeconds: 30 });
    }
  }

  private isDue(): boolean {
    if (!this.findings) return true;
    return this.refused().length > 0 && this.now() - this.lookedAt >= LOOK_AGAIN_MS;
  }

  private refused(): readonly Finding[] {
    return (this.findings ?? []).filter(({ severity }) => severity === 'refuse');
  }

  private async look(database: Database): Promise<void> {
    this.findings = await database.inspect();
    this.lookedAt = this.now();
    for (const { severity, check, text } of this.findings) {
      if (this.told.has(text)) continue;
      this.told.add(text);
      this.log[LEVELS[severity]](`Database: ${text}`, { check });
    }
  }
}
