import { type UnitOfWork } from '@malote/persistence';
import { describeEachEngine, type TestEngine } from '@malote/persistence/testing';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, jest } from '@jest/globals';
import { AUTH_TABLES } from '../auth/auth-tables.ts';
import { Clock } from '../clock.ts';
import { type NumberingServiceConfig } from '../numbering-service.config.ts';
import { service as definition } from '../service.ts';
import { type Role, UserEntity } from '../users/user.entity.ts';
import { UsersService } from '../users/users.service.ts';
import { Browser } from './browser.ts';

type Env = Readonly<Record<string, string>>;
type Entities = Parameters<typeof describeEachEngine>[1]['entities'];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly method?: string;
  readonly json?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Env;
}

export interface NumberingApiOptions {
  readonly env?: Env;
  /** Tables to be emptied before each test, beside those of the users. */
  readonly entities?: Entities;
}

/** Several words nobody would put together, none of them a name here. */
export const GOOD_PASSWORD = 'pinguim lavou quatro violinos';
export const OTHER_PASSWORD = 'tijolo cantando em marte devagar';
const START = new Date('2026-03-10T15:00:00.000Z');

/** The same tests over HTTP on each engine, against a service that runs from the first to the last of them. */
export function describeNumberingApi(
  name: string,
  suite: (api: NumberingApi) => void,
  { env = {}, entities = [] }: NumberingApiOptions = {},
): void {
  describeEachEngine(name, { entities: [...AUTH_TABLES, ...entities] }, (engine) => {
    // Inside, so that the service ends before its database goes.
    describe('over HTTP', () => {
      suite(new NumberingApi(engine, env));
    });
  });
}

/** A running service whose clock stands still unless it is told to go on. */
export class NumberingApi {
  private running: TestService<NumberingServiceConfig> | undefined;
  private time = START;

  constructor(
    readonly engine: TestEngine,
    env: Env = {},
  ) {
    beforeAll(async () => {
      this.running = await startTestService(definition, {
        env: { DATABASE_URL: engine.databaseUrl, BCRYPT_COST: '4', ...env },
      });
    });
    beforeEach(() => {
      this.time = START;
      jest.spyOn(this.service.app.get(Clock), 'now').mockImplementation(() => this.time);
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });
    afterAll(() => this.running?.close());
  }

  get service(): TestService<NumberingServiceConfig> {
    if (!this.running) throw new Error('The service runs inside hooks and tests only');
    return this.running;
  }

  get uow(): UnitOfWork {
    return this.engine.uow;
  }

  get now(): Date {
    return this.time;
  }

  set now(time: Date) {
    this.time = time;
  }

  pass(milliseconds: number): void {
    this.time = new Date(this.time.getTime() + milliseconds);
  }

  async ask(path: string, { method, json, token, headers }: Asked = {}): Promise<Answer> {
    const response = await this.service.fetch(path, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      ...(json !== undefined && { json }),
      ...(token !== undefined && { token }),
      ...(headers && { headers }),
    });
    const text = await response.text();
    if (response.status === 500) throw new Error(`${path} failed: ${this.service.logs.text.slice(-2_000)}`);
    const body = text === '' ? {} : (JSON.parse(text) as Answer['body']);
    return { status: response.status, headers: response.headers, body };
  }

  /** An admin as the console makes one: with a temporary password. */
  async firstAdmin(email = 'ana@itajai.example', name = 'Ana Souza') {
    return this.service.app.get(UsersService).createFirstAdmin({ email, name });
  }

  /** Logged in, with a password of their own. */
  async admin(email?: string, name?: string): Promise<Browser> {
    const { user, temporaryPassword } = await this.firstAdmin(email, name);
    return this.settle(user.email, temporaryPassword);
  }

  /** Added by an admin, logged in, with a password of their own. */
  async clerk(admin: Browser, email: string, name: string, role: Role = 'user'): Promise<Browser> {
    const { body } = await admin.post('/api/users', { email, name, role });
    return this.settle(email, String(body.temporaryPassword));
  }

  browser(): Browser {
    return new Browser(this);
  }

  async userOf(email: string): Promise<UserEntity> {
    return this.uow.read((tx) => tx.entities.findOneByOrFail(UserEntity, { email }));
  }

  private async settle(email: string, temporaryPassword: string): Promise<Browser> {
    const browser = this.browser();
    const login = await browser.logIn(email, temporaryPassword);
    const change = await browser.post('/api/auth/password', { newPassword: GOOD_PASSWORD });
    if (login.status === 200 && change.status === 200) return browser;
    throw new Error(`${email} did not get in: ${login.status} ${JSON.stringify(change.body)}`);
  }
}
