import { AppError } from '@malote/app-error';
import { type Tx, UnitOfWork } from '@malote/persistence';
import { HttpProblem, Log } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { UserRepository } from '../users/user.repository.ts';
import { normaliseEmail } from '../users/user-rules.ts';
import { loginKeys } from './login-throttle.ts';
import { type Attempt, LoginThrottle } from './login-throttle.service.ts';
import { PasswordHashing } from './password-hashing.ts';
import { SessionRepository, type SessionWithUser } from './session.repository.ts';
import { Sessions } from './sessions.ts';
import type { IssuedSession } from './signed-in.ts';

export interface Login {
  readonly email: string;
  readonly password: string;
  /** Where it comes from: the IP address. */
  readonly address: string;
  /** The refresh token the browser had until now; its session ends. */
  readonly replacing?: string | undefined;
}

/** For the log; people are told less. */
type Refusal =
  'unknown-user' | 'inactive' | 'wrong-password' | 'temporary-password-expired' | 'password-just-used';

@Injectable()
export class LoginService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UserRepository,
    private readonly hashing: PasswordHashing,
    private readonly throttle: LoginThrottle,
    private readonly sessions: Sessions,
    private readonly sessionRows: SessionRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Whoever is not let in is told the same, after the same time: neither says whether there is such an account. Only who typed the
   * right temporary password, too late, knows that already, and learns what to do.
   */
  async logIn({ email, password, address, replacing }: Login): Promise<IssuedSession> {
    const known = normaliseEmail(email);
    const user = known === undefined ? null : await this.uow.read((tx) => this.users.findByEmail(tx, known));
    const attempt = await this.compare(user, { email: known ?? email, password, address });
    const refusal = this.judge(user, attempt.isRight);
    if (refusal !== undefined || user === null) throw this.refuse(refusal ?? 'unknown-user', user);
    const newHash = await this.rehash(user, password);
    const replacedId = replacing === undefined ? undefined : await this.sessions.sessionIdOf(replacing);
    const session = await this.uow.run(async (tx) => {
      const started = await this.enter(tx, user, newHash);
      if (!started) return undefined;
      await this.throttle.succeed(tx, attempt);
      if (replacedId !== undefined) await this.sessionRows.end(tx, replacedId, 'replaced', this.clock.now());
      return started;
    });
    if (!session) throw this.refuse('password-just-used', user);
    this.tell('success', user);
    return this.sessions.issue(session);
  }

  /** Before anybody is refused, whether there is anything to compare with or not. */
  private async compare(user: UserEntity | null, { email, password, address }: Login): Promise<Attempt> {
    try {
      return await this.throttle.attempt(loginKeys(email, address), () =>
        this.hashing.matches(password, user?.isActive ? user.passwordHash : null),
      );
    } catch (error) {
      if (error instanceof HttpProblem || error instanceof AppError) this.tell(error.code, user);
      throw error;
    }
  }

  private judge(user: UserEntity | null, isRight: boolean): Refusal | undefined {
    if (!user) return 'unknown-user';
    if (!user.isActive) return 'inactive';
    if (!isRight) return 'wrong-password';
    const { temporaryPasswordExpiresAt: end } = user;
    return end !== null && end <= this.clock.now() ? 'temporary-password-expired' : undefined;
  }

  private async rehash({ passwordHash, temporaryPasswordExpiresAt }: UserEntity, password: string) {
    const isKept = temporaryPasswordExpiresAt === null && passwordHash !== null;
    return isKept && this.hashing.isOutdated(passwordHash) ? this.hashing.hash(password) : passwordHash;
  }

  /** Undefined when the password was changed, reset or, being temporary, used since it was compared. */
  private async enter(
    tx: Tx,
    user: UserEntity,
    newHash: string | null,
  ): Promise<SessionWithUser | undefined> {
    const isTemporary = user.temporaryPasswordExpiresAt !== null;
    const entered = await this.users.recordLogin(tx, user, isTemporary ? null : newHash, this.clock.now());
    return entered ? this.sessions.start(tx, user) : undefined;
  }

  private refuse(result: Refusal, user: UserEntity | null): HttpProblem {
    this.tell(result, user);
    if (result === 'temporary-password-expired') {
      return new HttpProblem(401, result, 'The temporary password has expired; an admin can give another');
    }
    return new HttpProblem(401, 'login-failed', 'The e-mail address or the password is wrong');
  }

  private tell(result: string, user: UserEntity | null): void {
    const fields = { result, ...(user && { userId: user.id }) };
    if (result === 'success') this.log.info('login', fields);
    else this.log.warn('login', fields);
  }
}
