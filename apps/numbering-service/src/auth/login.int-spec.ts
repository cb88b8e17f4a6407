import { expect, it, jest } from '@jest/globals';
import bcrypt from 'bcrypt';
import { describeNumberingApi, GOOD_PASSWORD } from '../testing/numbering-api.ts';
import { UserEntity } from '../users/user.entity.ts';
import { PasswordHashing } from './password-hashing.ts';
import { UserSessionEntity } from './user-session.entity.ts';

const ANA = 'ana@itajai.example';
const REFUSED = { status: 401, body: { code: 'login-failed' } };

describeNumberingApi('login', (api) => {
  it('answers with an access token, who it is, and a cookie for the refresh token', async () => {
    await api.admin();
    api.pass(60_000);
    const answer = await api.browser().logIn(' Ana@Itajai.example ', GOOD_PASSWORD);
    const { id } = await api.userOf(ANA);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresInSeconds: 600,
      user: { id, name: 'Ana Souza', email: ANA, role: 'admin' },
      mustChangePassword: false,
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^malote_session=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await api.userOf(ANA)).lastLoginAt).toEqual(api.now);
  });

  it('says the same to everybody it does not let in', async () => {
    const admin = await api.admin();
    const clerk = await api.clerk(admin, 'bia@itajai.example', 'Bia Lima');
    expect((await clerk.get('/api/auth/me')).status).toBe(200);
    const { id } = await api.userOf('bia@itajai.example');
    await admin.post(`/api/users/${id}/deactivate`);
    const refusals = [
      await api.browser().logIn(ANA, 'not the password'),
      await api.browser().logIn('nobody@itajai.example', GOOD_PASSWORD),
      await api.browser().logIn('not an address', GOOD_PASSWORD),
      await api.browser().logIn('bia@itajai.example', GOOD_PASSWORD),
      await api.browser().logIn(ANA, `${GOOD_PASSWORD}\u0007`),
    ];
    const said = refusals.map(({ status, body: { code, detail } }) => ({ status, code, detail }));
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(refusals[0]).toMatchObject(REFUSED);
    for (const { headers } of refusals) expect(headers.getSetCookie()).toEqual([]);
    const results = api.service.logs.find('login').map(({ result }) => result);
    expect(results.slice(-5)).toEqual([
      'wrong-password',
      'unknown-user',
      'unknown-user',
      'inactive',
      'wrong-password',
    ]);
  });

  it('compares with a hash of the same cost where there is no account', async () => {
    await api.admin();
    const compare = jest.spyOn(bcrypt, 'compare');
    await api.browser().logIn(ANA, 'not the password');
    await api.browser().logIn('nobody@itajai.example', 'not the password');
    await api.browser().logIn('not an address', 'not the password');
    const costs = compare.mock.calls.map(([, hash]) => bcrypt.getRounds(hash));
    expect(costs).toEqual([4, 4, 4]);
  });

  it('tells the log every result, and nothing a stranger could use', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    const browser = api.browser();
    await browser.logIn(ANA, 'wrong-guess-of-ana');
    await browser.logIn('nobody@itajai.example', 'wrong-guess-of-nobody');
    await browser.logIn(ANA, temporaryPassword);
    await browser.post('/api/auth/password', { newPassword: GOOD_PASSWORD });
    await browser.refresh();
    const { id } = await api.userOf(ANA);
    expect(api.service.logs.find('login').slice(-3)).toMatchObject([
      { level: 'warn', result: 'wrong-password', userId: id },
      { level: 'warn', result: 'unknown-user' },
      { level: 'info', result: 'success', userId: id },
    ]);
    const { text } = api.service.logs;
    const { cookie = 'no cookie', accessToken = 'no token' } = browser;
    const guesses = ['nobody@', 'wrong-guess', temporaryPassword, GOOD_PASSWORD];
    for (const secret of [ANA, ...guesses, cookie, accessToken, 'eyJ', '$2b$', '127.0.0.1"']) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
  });

  it('ends the session the browser had before', async () => {
    const browser = await api.admin();
    const before = browser.copy();
    expect((await browser.logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
    expect((await before.get('/api/auth/me')).status).toBe(401);
    expect((await browser.get('/api/auth/me')).status).toBe(200);
    const sessions = await api.uow.read((tx) => tx.entities.find(UserSessionEntity));
    expect(sessions.map(({ endReason }) => endReason).sort()).toEqual([null, 'replaced'].sort());
  });

  it('hashes a password anew that was hashed too cheaply', async () => {
    await api.admin();
    const hashing = api.service.app.get(PasswordHashing);
    jest.spyOn(hashing, 'isOutdated').mockReturnValueOnce(true);
    const hashes = [(await api.userOf(ANA)).passwordHash];
    for (let n = 0; n < 2; n += 1) {
      expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      hashes.push((await api.userOf(ANA)).passwordHash);
    }
    expect(hashes[1]).not.toBe(hashes[0]);
    expect(hashes[2]).toBe(hashes[1]);
  });

  it('takes a hash that came from elsewhere', async () => {
    await api.admin();
    const passwordHash = await bcrypt.hash('from the old system', 6);
    await api.uow.run((tx) => tx.entities.update(UserEntity, { email: ANA }, { passwordHash }));
    expect((await api.browser().logIn(ANA, 'from the old system')).status).toBe(200);
  });

  it('is not for other sites to do', async () => {
    const answer = await api.ask('/api/auth/login', {
      json: { email: ANA, password: GOOD_PASSWORD },
      headers: { origin: 'https://evil.example' },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'cross-site-request' } });
  });

  it.each([
    [{}],
    [{ email: ANA }],
    [{ email: ANA, password: 7 }],
    [{ email: ANA, password: 'x', role: 'admin' }],
  ])('refuses %j as no login at all', async (json) => {
    expect(await api.ask('/api/auth/login', { json })).toMatchObject({
      status: 400,
      body: { code: 'validation-failed' },
    });
  });
});

describeNumberingApi('a temporary password', (api) => {
  it('lets in once, to choose another', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    const browser = api.browser();
    expect(await browser.logIn(ANA, temporaryPassword)).toMatchObject({
      status: 200,
      body: { mustChangePassword: true },
    });
    expect(await api.browser().logIn(ANA, temporaryPassword)).toMatchObject(REFUSED);
    expect(await api.userOf(ANA)).toMatchObject({ passwordHash: null, mustChangePassword: true });
    expect(await browser.post('/api/auth/password', { newPassword: GOOD_PASSWORD })).toMatchObject({
      status: 200,
      body: { mustChangePassword: false },
    });
    expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
  });

  it('lets in one of two who use it at once', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.browser().logIn(ANA, temporaryPassword)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await api.uow.read((tx) => tx.entities.count(UserSessionEntity))).toBe(1);
  });

  it('expires', async () => {
    const { temporaryPassword, user } = await api.firstAdmin();
    expect(user.temporaryPasswordExpiresAt).toEqual(new Date(api.now.getTime() + 72 * 3_600_000));
    api.pass(72 * 3_600_000);
    expect(await api.browser().logIn(ANA, temporaryPassword)).toMatchObject({
      status: 401,
      body: { code: 'temporary-password-expired' },
    });
    expect(await api.browser().logIn(ANA, 'not the password')).toMatchObject(REFUSED);
    api.pass(-1);
    expect((await api.browser().logIn(ANA, temporaryPassword)).status).toBe(200);
  });

  it('that has expired is a failed attempt like any other', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    api.pass(72 * 3_600_000);
    const codes: unknown[] = [];
    for (let n = 0; n < 7; n += 1) {
      codes.push((await api.browser().logIn(ANA, temporaryPassword)).body.code);
    }
    expect(codes).toEqual([
      ...Array.from({ length: 6 }, () => 'temporary-password-expired'),
      'too-many-attempts',
    ]);
  });

  it('cannot stay', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    const browser = api.browser();
    await browser.logIn(ANA, temporaryPassword);
    expect(await browser.post('/api/auth/password', { newPassword: temporaryPassword })).toMatchObject({
      status: 400,
      body: { code: 'password-unchanged' },
    });
  });
});
