import type { Role } from '../users/user.entity.ts';

/** Who a request comes from, as the database says at this moment. */
export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly mustChangePassword: boolean;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly accessExpiresInSeconds: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

export interface IssuedSession {
  readonly signedIn: SignedIn;
  readonly tokens: IssuedTokens;
}
