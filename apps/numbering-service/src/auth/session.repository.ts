import { asDate, type SqlRow, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import type { Role } from '../users/user.entity.ts';
import type { SessionState } from './session-state.ts';
import { type EndReason, UserSessionEntity } from './user-session.entity.ts';

const SESSIONS = 'TB_USER_SESSIONS';
const USERS = 'TB_USERS';

/** A session and its user, read together: whatever changes with either counts at once. */
export interface SessionWithUser extends SessionState {
  readonly sessionId: string;
  readonly startedAt: Date;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
}

export type NewSession = Pick<
  UserSessionEntity,
  'id' | 'userId' | 'generation' | 'startedAt' | 'rotatedAt' | 'expiresAt'
>;

@Injectable()
export class SessionRepository {
  async insert(tx: Tx, session: NewSession): Promise<void> {
    await tx.entities.insert(UserSessionEntity, session);
  }

  async find(tx: Tx, sessionId: string): Promise<SessionWithUser | undefined> {
    const row = await tx.first<SessionRow>(
      `SELECT s.Id AS SessionId, s.Generation AS Generation, s.StartedAt AS StartedAt, s.RotatedAt AS RotatedAt, ` +
        `s.ExpiresAt AS ExpiresAt, s.EndedAt AS EndedAt, u.Id AS UserId, u.Email AS Email, u.Name AS Name, ` +
        `u.Role AS Role, u.IsActive AS IsActive, u.MustChangePassword AS MustChangePassword ` +
        `FROM ${tx.dialect.table(SESSIONS)} AS s ` +
        `INNER JOIN ${tx.dialect.table(USERS)} AS u ON u.Id = s.UserId WHERE s.Id = @sessionId`,
      { sessionId: varchar(sessionId, 36) },
    );
    return row && toSession(row);
  }

  /** False when the session is no longer at this generation: another request was first. */
  async rotate(
    tx: Tx,
    sessionId: string,
    generation: number,
    rotatedAt: Date,
    expiresAt: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE ${tx.dialect.table(SESSIONS)} SET Generation = @next, RotatedAt = @rotatedAt, ExpiresAt = @expiresAt ` +
        `WHERE Id = @sessionId AND Generation = @generation AND EndedAt IS NULL`,
      { sessionId: varchar(sessionId, 36), generation, next: generation + 1, rotatedAt, expiresAt },
    );
    return changed === 1;
  }

  async end(tx: Tx, sessionId: string, reason: EndReason, now: Date): Promise<void> {
    await this.endWhere(tx, 'Id = @id', sessionId, reason, now);
  }

  /** All of a user's sessions but the one to keep; tells how many there were. */
  endAll(tx: Tx, userId: string, reason: EndReason, now: Date, keep = ''): Promise<number> {
    return this.endWhere(tx, 'UserId = @id AND Id <> @keep', userId, reason, now, keep);
  }

  deleteOverSince(tx: Tx, moment: Date): Promise<number> {
    return tx.execute(
      `DELETE FROM ${tx.dialect.table(SESSIONS)} WHERE ExpiresAt < @moment OR EndedAt < @moment`,
      { moment },
    );
  }

  private endWhere(
    tx: Tx,
    condition: string,
    id: string,
    reason: EndReason,
    now: Date,
    keep?: string,
  ): Promise<number> {
    return tx.execute(
      `UPDATE ${tx.dialect.table(SESSIONS)} SET EndedAt = @now, EndReason = @reason ` +
        `WHERE ${condition} AND EndedAt IS NULL`,
      {
        id: varchar(id, 36),
        reason: varchar(reason, 20),
        now,
        ...(keep !== undefined && { keep: varchar(keep, 36) }),
      },
    );
  }
}

interface SessionRow extends SqlRow {
  readonly SessionId: string;
  readonly UserId: string;
  readonly Email: string;
  readonly Name: string;
  readonly Role: Role;
}

function toSession(row: SessionRow): SessionWithUser {
  return {
    sessionId: row.SessionId,
    generation: Number(row.Generation),
    startedAt: timeIn(row.StartedAt),
    rotatedAt: timeIn(row.RotatedAt),
    expiresAt: timeIn(row.ExpiresAt),
    endedAt: asDate(row.EndedAt),
    userId: row.UserId,
    email: row.Email,
    name: row.Name,
    role: row.Role,
    isUserActive: isTrue(row.IsActive),
    mustChangePassword: isTrue(row.MustChangePassword),
  };
}

/** Of a column that is never null. */
function timeIn(value: unknown): Date {
  const time = asDate(value);
  if (time) return time;
  throw new TypeError(`Not a time: ${String(value)}`);
}

/** A BIT leaves SQL Server as a boolean and SQLite as a number. */
function isTrue(value: unknown): boolean {
  return value === true || Number(value) === 1;
}
