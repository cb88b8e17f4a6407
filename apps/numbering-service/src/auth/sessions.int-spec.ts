import { expect, it } from '@jest/globals';
import { describeNumberingApi, GOOD_PASSWORD } from '../testing/numbering-api.ts';
import { AuthHousekeeping } from './housekeeping.ts';
import { Sessions } from './sessions.ts';
import { UserSessionEntity } from './user-session.entity.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const ENDED = { status: 401, body: { code: 'session-invalid' } };

describeNumberingApi('a session', (api) => {
  const onlySession = async () => {
    const [session] = await api.uow.read((tx) => tx.entities.find(UserSessionEntity));
    if (!session) throw new Error('There is no session');
    return session;
  };

  it('goes on under new tokens with every refresh', async () => {
    const browser = await api.admin();
    const before = await onlySession();
    api.pass(20 * MINUTE_MS);
    expect(await browser.get('/api/auth/me')).toMatchObject(ENDED);
    const answer = await browser.refresh();
    expect(answer).toMatchObject({ status: 200, body: { tokenType: 'Bearer', expiresInSeconds: 600 } });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect((await browser.get('/api/auth/me')).status).toBe(200);
    expect(await onlySession()).toMatchObject({
      id: before.id,
      generation: before.generation + 1,
      startedAt: before.startedAt,
      rotatedAt: api.now,
      expiresAt: new Date(api.now.getTime() + HOUR_MS),
    });
  });

  it('answers a lost reply again, for a minute, without another generation', async () => {
    const browser = await api.admin();
    const retry = browser.copy();
    api.pass(MINUTE_MS);
    await browser.refresh();
    const { generation } = await onlySession();
    api.pass(MINUTE_MS);
    expect((await retry.refresh()).status).toBe(200);
    expect(retry.cookie).toBe(browser.cookie);
    expect((await retry.get('/api/auth/me')).status).toBe(200);
    expect((await onlySession()).generation).toBe(generation);
  });

  it('ends when an old token of it is used again', async () => {
    const browser = await api.admin();
    const thief = browser.copy();
    api.pass(MINUTE_MS);
    await browser.refresh();
    api.pass(MINUTE_MS + 1);
    expect(await thief.refresh()).toMatchObject(ENDED);
    expect(await browser.refresh()).toMatchObject(ENDED);
    expect(await browser.get('/api/auth/me')).toMatchObject(ENDED);
    const { id, userId, endReason } = await onlySession();
    expect(endReason).toBe('reused');
    const [line] = api.service.logs.find('A session ended because an old token of it was used').slice(-1);
    expect(line).toMatchObject({ level: 'warn', sessionId: id, userId });
  });

  it('ends when a token of two generations ago is used, however soon', async () => {
    const browser = await api.admin();
    const thief = browser.copy();
    await browser.refresh();
    await browser.refresh();
    expect(await thief.refresh()).toMatchObject(ENDED);
    expect((await onlySession()).endReason).toBe('reused');
  });

  it('lets ten tabs refresh at once', async () => {
    const browser = await api.admin();
    const { generation } = await onlySession();
    api.pass(MINUTE_MS);
    const tabs = Array.from({ length: 10 }, () => browser.copy());
    const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    expect((await onlySession()).generation).toBe(generation + 1);
  });

  it('does not care about forged tokens', async () => {
    const browser = await api.admin();
    const [header, claims] = (browser.cookie ?? '').split('.');
    const forger = api.browser();
    for (const cookie of [`${header}.${claims}.AAAA`, 'x', browser.accessToken]) {
      forger.cookie = cookie;
      expect(await forger.refresh()).toMatchObject(ENDED);
    }
    forger.accessToken = browser.cookie;
    expect(await forger.get('/api/auth/me')).toMatchObject(ENDED);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('ends when nobody uses it for an hour', async () => {
    const browser = await api.admin();
    api.pass(HOUR_MS - 1);
    const justInTime = browser.copy();
    api.pass(1);
    expect(await browser.refresh()).toMatchObject(ENDED);
    api.pass(-SECOND_MS);
    expect((await justInTime.refresh()).status).toBe(200);
  });

  it('ends after twelve hours however much it is used', async () => {
    const browser = await api.admin();
    for (let n = 0; n < 12; n += 1) {
      api.pass(55 * MINUTE_MS);
      expect((await browser.refresh()).status).toBe(200);
    }
    api.pass(55 * MINUTE_MS);
    const last = await browser.refresh();
    expect(last).toMatchObject({ status: 200, body: { expiresInSeconds: 5 * 60 } });
    expect(last.headers.getSetCookie()[0]).toContain('Max-Age=300;');
    api.pass(5 * MINUTE_MS - 1);
    expect((await browser.get('/api/auth/me')).status).toBe(200);
    api.pass(1);
    expect(await browser.get('/api/auth/me')).toMatchObject(ENDED);
    expect(await browser.refresh()).toMatchObject(ENDED);
  });

  it('ends with the logout, by cookie or by access token', async () => {
    const browser = await api.admin();
    const byToken = api.browser();
    await byToken.logIn('ana@itajai.example', GOOD_PASSWORD);
    byToken.cookie = undefined;
    const copies = [browser.copy(), byToken.copy()];
    browser.accessToken = undefined;
    for (const one of [browser, byToken]) {
      const answer = await one.logOut();
      expect(answer.status).toBe(204);
      expect(answer.headers.getSetCookie()).toEqual([
        'malote_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      ]);
    }
    for (const copy of copies) expect(await copy.get('/api/auth/me')).toMatchObject(ENDED);
    const sessions = await api.uow.read((tx) => tx.entities.find(UserSessionEntity));
    expect(sessions.map(({ endReason }) => endReason)).toEqual(['logout', 'logout']);
  });

  it('lets anybody log out, with nothing to log out from', async () => {
    const browser = api.browser();
    expect((await browser.logOut()).status).toBe(204);
    browser.cookie = 'x';
    browser.accessToken = 'y';
    expect((await browser.logOut()).status).toBe(204);
  });

  it.each(['refresh', 'logout'])('is not for other sites to %s', async (route) => {
    const browser = await api.admin();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await api.ask(`/api/auth/${route}`, {
        method: 'POST',
        headers: { ...headers, cookie: `malote_session=${browser.cookie}` },
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'cross-site-request' } });
    }
    const { host } = new URL(api.service.url);
    const own = await api.ask('/api/auth/refresh', {
      method: 'POST',
      headers: { origin: `http://${host}`, cookie: `malote_session=${browser.cookie}` },
    });
    expect(own.status).toBe(200);
  });

  it('needs a cookie to be refreshed', async () => {
    const answer = await api.browser().refresh();
    expect(answer).toMatchObject({ status: 401, body: { code: 'session-missing' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="malote"');
  });

  it('is not entered by the cookie alone', async () => {
    const browser = await api.admin();
    browser.accessToken = undefined;
    expect(await browser.get('/api/auth/me')).toMatchObject({
      status: 401,
      body: { code: 'session-missing' },
    });
  });

  it('is forgotten three months after its end', async () => {
    await api.admin();
    const count = () => api.uow.read((tx) => tx.entities.count(UserSessionEntity));
    api.pass(HOUR_MS + 90 * 24 * HOUR_MS);
    await api.service.app.get(AuthHousekeeping).tidy();
    expect(await count()).toBe(1);
    api.pass(1);
    await api.service.app.get(AuthHousekeeping).tidy();
    expect(await count()).toBe(0);
  });
});

describeNumberingApi('a page', (api) => {
  const resume = (cookie: string | undefined) => api.service.app.get(Sessions).resume(cookie ?? '');

  it('knows who it is by the cookie, which it gets anew after five minutes', async () => {
    const { cookie } = await api.admin();
    api.pass(5 * MINUTE_MS - 1);
    expect(await resume(cookie)).toEqual({
      signedIn: expect.objectContaining({ name: 'Ana Souza', role: 'admin', mustChangePassword: false }),
    });
    api.pass(1);
    const { renewed } = await resume(cookie);
    expect(renewed?.refreshToken).toMatch(/^eyJ/);
    expect(await resume(renewed?.refreshToken)).not.toHaveProperty('renewed');
  });

  it('of two tabs gives both the same cookie', async () => {
    const { cookie } = await api.admin();
    api.pass(6 * MINUTE_MS);
    const [one, two] = await Promise.all([resume(cookie), resume(cookie)]);
    expect(one.renewed?.refreshToken).toBeDefined();
    expect(two.renewed?.refreshToken).toBe(one.renewed?.refreshToken);
  });

  it('is left when its cookie is an old one', async () => {
    const { cookie } = await api.admin();
    api.pass(6 * MINUTE_MS);
    const { renewed } = await resume(cookie);
    api.pass(MINUTE_MS + 1);
    await expect(resume(cookie)).rejects.toMatchObject({ status: 401, code: 'session-invalid' });
    await expect(resume(renewed?.refreshToken)).rejects.toMatchObject({ status: 401 });
  });
});
