import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../clock.ts';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import type { IssuedTokens } from './signed-in.ts';

/** The cookie that holds the refresh token. No script can read it, and no other site's form sends it. */
@Injectable()
export class SessionCookie {
  readonly name: string;

  constructor(
    private readonly config: NumberingServiceConfig,
    private readonly clock: Clock,
  ) {
    // With the prefix, browsers take it from this very host over https only.
    this.name = config.isProduction ? '__Host-malote_session' : 'malote_session';
  }

  /** The refresh token a request came with. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[this.name];
  }

  set(reply: FastifyReply, { refreshToken, refreshExpiresAt }: IssuedTokens): void {
    const leftMs = refreshExpiresAt.getTime() - this.clock.now().getTime();
    this.write(reply, refreshToken, Math.max(0, Math.floor(leftMs / 1000)));
  }

  clear(reply: FastifyReply): void {
    this.write(reply, '', 0);
  }

  private write(reply: FastifyReply, value: string, maxAge: number): void {
    const cookie = stringifySetCookie({
      name: this.name,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.config.isProduction,
    });
    void reply.header('set-cookie', cookie);
  }
}
