import { randomUUID } from 'node:crypto';
import { type Tx, UnitOfWork } from '@malote/persistence';
import { Log } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { sessionInvalid } from './challenge.ts';
import { expiryOf, isLive, judgeGeneration, type Lifetime } from './session-state.ts';
import { SessionRepository, type SessionWithUser } from './session.repository.ts';
import { type RefreshClaims, SessionTokens } from './session-tokens.ts';
import type { IssuedSession, SignedIn } from './signed-in.ts';
import type { EndReason } from './user-session.entity.ts';

/** A page asks many times a minute; its cookie is renewed this often at most. */
const RENEW_AFTER_MS = 5 * 60_000;

export interface Resumed {
  readonly signedIn: SignedIn;
  /** Set when the cookie must be replaced. */
  readonly renewed?: IssuedSession['tokens'];
}

export interface PresentedTokens {
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
}

interface Outcome {
  readonly session: SessionWithUser;
  readonly reused: boolean;
}

/** From login to logout. Every answer comes from the session's row and its user's, so an end counts at once. */
@Injectable()
export class Sessions {
  private readonly lifetime: Lifetime;
  private readonly renewAfterMs: number;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: SessionRepository,
    private readonly tokens: SessionTokens,
    private readonly clock: Clock,
    private readonly log: Log,
    config: NumberingServiceConfig,
  ) {
    this.lifetime = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
    this.renewAfterMs = Math.min(RENEW_AFTER_MS, config.sessionIdleMs / 4);
  }

  /** Whose access token this is. */
  async authenticate(accessToken: string): Promise<SignedIn> {
    const now = this.clock.now();
    const claims = await this.tokens.readAccess(accessToken, now);
    if (!claims) throw sessionInvalid();
    const session = await this.uow.read((tx) => this.sessions.find(tx, claims.sessionId));
    if (session?.userId !== claims.userId || !isLive(session, now)) throw sessionInvalid();
    return signedInOf(session);
  }

  /** Trades a refresh token for the next one. */
  refresh(refreshToken: string): Promise<IssuedSession> {
    return this.present(refreshToken, 0);
  }

  /** The same for the page, which has nothing but the cookie: most of the time it only learns who it is. */
  async resume(refreshToken: string): Promise<Resumed> {
    const { signedIn, tokens } = await this.present(refreshToken, this.renewAfterMs);
    return tokens.refreshToken === refreshToken ? { signedIn } : { signedIn, renewed: tokens };
  }

  /** Ends the session of either token; one that does not count ends nothing. */
  async logOut({ refreshToken, accessToken }: PresentedTokens): Promise<void> {
    const now = this.clock.now();
    const claims = [
      refreshToken === undefined ? undefined : await this.tokens.readRefresh(refreshToken, now),
      accessToken === undefined ? undefined : await this.tokens.readAccess(accessToken, now),
    ].filter((found) => found !== undefined);
    if (claims.length === 0) return;
    await this.uow.run(async (tx) => {
      for (const { sessionId } of claims) await this.sessions.end(tx, sessionId, 'logout', now);
    });
  }

  /** The session a genuine refresh token is of, whatever became of it. */
  async sessionIdOf(refreshToken: string): Promise<string | undefined> {
    return (await this.tokens.readRefresh(refreshToken, this.clock.now()))?.sessionId;
  }

  /** To be issued once the transaction is done. */
  async start(tx: Tx, user: Pick<UserEntity, 'id' | 'email' | 'name' | 'role' | 'mustChangePassword'>) {
    const now = this.clock.now();
    const expiresAt = expiryOf(now, now, this.lifetime);
    const session: SessionWithUser = {
      sessionId: randomUUID(),
      generation: 1,
      startedAt: now,
      rotatedAt: now,
      expiresAt,
      endedAt: null,
      isUserActive: true,
      userId: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      mustChangePassword: user.mustChangePassword,
    };
    const { sessionId: id, userId, generation, startedAt, rotatedAt } = session;
    await this.sessions.insert(tx, { id, userId, generation, startedAt, rotatedAt, expiresAt });
    return session;
  }

  /** Lets this session go on under a new generation, and ends all others of its user. */
  async keepOnly(tx: Tx, sessionId: string, reason: EndReason): Promise<SessionWithUser> {
    const now = this.clock.now();
    for (;;) {
      const session = await this.sessions.find(tx, sessionId);
      if (!session || !isLive(session, now)) throw sessionInvalid();
      const rotated = await this.rotate(tx, session, now);
      if (!rotated) continue;
      await this.sessions.endAll(tx, session.userId, reason, now, sessionId);
      return rotated;
    }
  }

  async issue(session: SessionWithUser): Promise<IssuedSession> {
    return {
      signedIn: signedInOf(session),
      tokens: await this.tokens.issue(session, this.clock.now()),
    };
  }

  private async present(refreshToken: string, renewAfterMs: number): Promise<IssuedSession> {
    const now = this.clock.now();
    const claims = await this.tokens.readRefresh(refreshToken, now);
    if (!claims) throw sessionInvalid();
    const known = await this.uow.read((tx) => this.sessions.find(tx, claims.sessionId));
    if (known && isUsable(known, claims, now, renewAfterMs)) return this.issue(known);
    const outcome = await this.uow.run((tx) => this.advance(tx, claims, now));
    if (!outcome) throw sessionInvalid();
    const { session, reused } = outcome;
    if (reused) {
      const { sessionId, userId } = session;
      this.log.warn('A session ended because an old token of it was used', { sessionId, userId });
      throw sessionInvalid();
    }
    return this.issue(session);
  }

  private async advance(
    tx: Tx,
    { sessionId, generation }: RefreshClaims,
    now: Date,
  ): Promise<Outcome | undefined> {
    for (;;) {
      const session = await this.sessions.find(tx, sessionId);
      if (!session) return undefined;
      const presented = judgeGeneration(session, generation, now);
      switch (presented) {
        case 'over':
          return undefined;
        case 'superseded-just-now':
          return { session, reused: false };
        case 'reused':
          await this.sessions.end(tx, sessionId, 'reused', now);
          return { session, reused: true };
        case 'current': {
          const rotated = await this.rotate(tx, session, now);
          if (rotated) return { session: rotated, reused: false };
        }
      }
    }
  }

  /** Undefined when another request was first. */
  private async rotate(tx: Tx, session: SessionWithUser, now: Date): Promise<SessionWithUser | undefined> {
    const { sessionId, generation, startedAt } = session;
    const expiresAt = expiryOf(startedAt, now, this.lifetime);
    const rotated = await this.sessions.rotate(tx, sessionId, generation, now, expiresAt);
    return rotated ? { ...session, generation: generation + 1, rotatedAt: now, expiresAt } : undefined;
  }
}

/** Nothing needs to be written: it was renewed a moment ago, by this request or another one. */
function isUsable(session: SessionWithUser, { generation }: RefreshClaims, now: Date, renewAfterMs: number) {
  const presented = judgeGeneration(session, generation, now);
  if (presented === 'superseded-just-now') return true;
  return presented === 'current' && now.getTime() - session.rotatedAt.getTime() < renewAfterMs;
}

function signedInOf(session: SessionWithUser): SignedIn {
  const { userId, name, email, role, sessionId, mustChangePassword } = session;
  return { id: userId, name, email, role, sessionId, mustChangePassword };
}
