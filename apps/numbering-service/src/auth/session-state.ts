/** A lost reply is asked for again, on bad Wi-Fi late, and two tabs ask at once; later than this, an old token is a copy. */
const GRACE_MS = 60_000;

/** What of a session decides whether a token of it counts. */
export interface SessionState {
  readonly generation: number;
  readonly rotatedAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly isUserActive: boolean;
}

export type Presented = 'current' | 'superseded-just-now' | 'reused' | 'over';

export function isLive({ expiresAt, endedAt, isUserActive }: SessionState, now: Date): boolean {
  return endedAt === null && isUserActive && now < expiresAt;
}

/** What a genuine refresh token of this generation is, now. */
export function judgeGeneration(session: SessionState, generation: number, now: Date): Presented {
  if (!isLive(session, now)) return 'over';
  if (generation === session.generation) return 'current';
  const sinceRotationMs = now.getTime() - session.rotatedAt.getTime();
  if (generation === session.generation - 1 && sinceRotationMs <= GRACE_MS) return 'superseded-just-now';
  return 'reused';
}

export interface Lifetime {
  readonly idleMs: number;
  readonly maxMs: number;
}

export function expiryOf(startedAt: Date, now: Date, { idleMs, maxMs }: Lifetime): Date {
  return new Date(Math.min(now.getTime() + idleMs, startedAt.getTime() + maxMs));
}
