import { AppError } from '@malote/app-error';
import { UnitOfWork } from '@malote/persistence';
import { Log } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import { UserRepository } from '../users/user.repository.ts';
import { sessionInvalid } from './challenge.ts';
import { changeKey } from './login-throttle.ts';
import { LoginThrottle } from './login-throttle.service.ts';
import { isGuessable } from './password-guesses.ts';
import { PasswordHashing } from './password-hashing.ts';
import { type PasswordOwner, passwordProblem, passwordRefused } from './password-rules.ts';
import { normalisePassword } from './password-text.ts';
import { Sessions } from './sessions.ts';
import type { IssuedSession, SignedIn } from './signed-in.ts';

export interface PasswordChange {
  /** Not needed by whoever logged in with a temporary password: it was good for that one time. */
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
}

@Injectable()
export class PasswordService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UserRepository,
    private readonly hashing: PasswordHashing,
    private readonly throttle: LoginThrottle,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly config: NumberingServiceConfig,
    private readonly log: Log,
  ) {}

  /** Not of who came with a temporary password; but of who must change one that was brought along from another system. */
  async needsCurrent({ id }: SignedIn): Promise<boolean> {
    const user = await this.uow.read((tx) => this.users.find(tx, id));
    return user !== null && user.passwordHash !== null;
  }

  /** The session goes on with new tokens; all others of the user end. */
  async change(signedIn: SignedIn, { currentPassword, newPassword }: PasswordChange): Promise<IssuedSession> {
    const user = await this.uow.read((tx) => this.users.find(tx, signedIn.id));
    if (!user) throw sessionInvalid();
    const { name, email, passwordHash: oldHash } = user;
    if (oldHash !== null) await this.prove(signedIn, currentPassword, oldHash);
    const { passwordContextWords: contextWords } = this.config;
    await refuseWeak(newPassword, {
      name,
      email,
      contextWords,
      currentPassword: oldHash === null ? undefined : currentPassword,
    });
    const newHash = await this.hashing.hash(newPassword);
    const session = await this.uow.run(async (tx) => {
      if (!(await this.users.setPassword(tx, user, newHash, this.clock.now()))) throw changedMeanwhile();
      return this.sessions.keepOnly(tx, signedIn.sessionId, 'password-changed');
    });
    this.log.info('password changed', { userId: signedIn.id });
    return this.sessions.issue(session);
  }

  /** Whoever finds a clerk's screen unlocked must not take over the account by guessing. */
  private async prove({ id }: SignedIn, currentPassword: string | undefined, hash: string): Promise<void> {
    if (currentPassword === undefined) {
      throw currentRefused('current-password-missing', 'The current password is needed');
    }
    const attempt = await this.throttle.attempt([changeKey(id)], () =>
      this.hashing.matches(currentPassword, hash),
    );
    if (attempt.isRight) {
      await this.uow.run((tx) => this.throttle.succeed(tx, attempt));
      return;
    }
    this.log.warn('password change refused', { userId: id });
    throw currentRefused('current-password-wrong', 'The current password is wrong');
  }
}

async function refuseWeak(password: string, owner: PasswordOwner): Promise<void> {
  const problem = passwordProblem(password, owner);
  if (problem) throw passwordRefused(problem);
  if (await isGuessable(normalisePassword(password))) throw passwordRefused('password-guessable');
}

function currentRefused(code: string, message: string): AppError {
  return new AppError('invalid', code, message, {
    fields: [{ pointer: '/currentPassword', code, message }],
  });
}

function changedMeanwhile(): AppError {
  return new AppError(
    'conflict',
    'password-changed-meanwhile',
    'The password was changed or reset meanwhile',
  );
}
