import { parseSetCookie } from 'cookie';
import type { Answer, Asked, NumberingApi } from './numbering-api.ts';

/** Keeps what a browser keeps: the cookie, and the access token its page was given. */
export class Browser {
  accessToken: string | undefined;
  /** The value of the session's cookie. */
  cookie: string | undefined;

  constructor(
    private readonly api: Pick<NumberingApi, 'ask'>,
    private readonly address?: string,
  ) {}

  logIn(email: string, password: string): Promise<Answer> {
    return this.send('/api/auth/login', { json: { email, password } });
  }

  refresh(): Promise<Answer> {
    return this.send('/api/auth/refresh', { method: 'POST' });
  }

  logOut(): Promise<Answer> {
    return this.send('/api/auth/logout', { method: 'POST' });
  }

  get(path: string): Promise<Answer> {
    return this.send(path, {});
  }

  post(path: string, json: unknown = {}, headers: Asked['headers'] = {}): Promise<Answer> {
    return this.send(path, { json, headers });
  }

  patch(path: string, json: unknown): Promise<Answer> {
    return this.send(path, { method: 'PATCH', json });
  }

  delete(path: string): Promise<Answer> {
    return this.send(path, { method: 'DELETE' });
  }

  /** Another one that knows the same. */
  copy(): Browser {
    const copy = new Browser(this.api, this.address);
    copy.cookie = this.cookie;
    copy.accessToken = this.accessToken;
    return copy;
  }

  private async send(path: string, asked: Asked): Promise<Answer> {
    const answer = await this.api.ask(path, {
      ...asked,
      token: this.accessToken,
      headers: {
        ...asked.headers,
        ...(this.cookie !== undefined && { cookie: `malote_session=${this.cookie}` }),
        ...(this.address !== undefined && { 'x-forwarded-for': this.address }),
      },
    });
    this.remember(answer);
    return answer;
  }

  private remember({ headers, body }: Answer): void {
    const [set] = headers.getSetCookie();
    if (set !== undefined) {
      const { value = '' } = parseSetCookie(set);
      this.cookie = value === '' ? undefined : value;
    }
    if (typeof body.accessToken === 'string') this.accessToken = body.accessToken;
  }
}
