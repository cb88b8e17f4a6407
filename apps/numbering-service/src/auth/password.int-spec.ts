import { expect, it } from '@jest/globals';
import { describeNumberingApi, GOOD_PASSWORD, OTHER_PASSWORD } from '../testing/numbering-api.ts';
import { UserSessionEntity } from './user-session.entity.ts';

const ANA = 'ana@itajai.example';

describeNumberingApi('a change of password', (api) => {
  it('keeps this session under new tokens, and ends all others', async () => {
    const browser = await api.admin();
    const elsewhere = api.browser();
    await elsewhere.logIn(ANA, GOOD_PASSWORD);
    const before = browser.cookie;
    const answer = await browser.post('/api/auth/password', {
      currentPassword: GOOD_PASSWORD,
      newPassword: OTHER_PASSWORD,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', user: { email: ANA }, mustChangePassword: false },
    });
    expect(browser.cookie).not.toBe(before);
    expect((await browser.get('/api/auth/me')).status).toBe(200);
    expect((await browser.refresh()).status).toBe(200);
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401);
    expect((await elsewhere.refresh()).status).toBe(401);
    const sessions = await api.uow.read((tx) => tx.entities.find(UserSessionEntity));
    expect(sessions.map(({ endReason }) => endReason).sort()).toEqual(['password-changed', null].sort());
    expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(401);
    expect((await api.browser().logIn(ANA, OTHER_PASSWORD)).status).toBe(200);
  });

  it.each([
    ['missing', undefined, 'current-password-missing'],
    ['wrong', 'not the password', 'current-password-wrong'],
  ])('is refused when the current one is %s', async (_name, currentPassword, code) => {
    const browser = await api.admin();
    const answer = await browser.post('/api/auth/password', { currentPassword, newPassword: OTHER_PASSWORD });
    expect(answer).toMatchObject({
      status: 400,
      body: { code, errors: [{ pointer: '/currentPassword', code }] },
    });
    expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
  });

  it.each([
    ['curta', 'password-too-short'],
    ['x'.repeat(129), 'password-too-long'],
    [GOOD_PASSWORD, 'password-unchanged'],
    ['quem manda aqui é a Souza', 'password-personal'],
    ['o malote chegou ontem cedo', 'password-personal'],
    ['senhasenhasenhasenha', 'password-guessable'],
    ['tem um\ttabulador bem aqui', 'password-control-characters'],
  ])('to %j is refused: %s', async (newPassword, code) => {
    const browser = await api.admin();
    const answer = await browser.post('/api/auth/password', { currentPassword: GOOD_PASSWORD, newPassword });
    expect(answer).toMatchObject({
      status: 400,
      body: { code, errors: [{ pointer: '/newPassword', code }] },
    });
    expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
  });

  it('to a long one looks at all of it', async () => {
    const browser = await api.admin();
    const long = 'coração de pinguim não se compra em feira de domingo, nem com açúcar e canela!';
    expect(Buffer.byteLength(long)).toBeGreaterThan(72);
    const change = { currentPassword: GOOD_PASSWORD, newPassword: long };
    expect((await browser.post('/api/auth/password', change)).status).toBe(200);
    expect((await api.browser().logIn(ANA, long.slice(0, -1))).status).toBe(401);
    expect((await api.browser().logIn(ANA, long.normalize('NFD'))).status).toBe(200);
  });

  it('happens once when two come at once', async () => {
    const browser = await api.admin();
    const change = (newPassword: string) =>
      browser.copy().post('/api/auth/password', { currentPassword: GOOD_PASSWORD, newPassword });
    const answers = await Promise.all([change(OTHER_PASSWORD), change('navio feito de gelatina roxa')]);
    const [kept, refused] = answers.map(({ status }) => status).sort();
    expect(kept).toBe(200);
    // Whoever looks after the first has committed is told that this is not the password any more.
    expect([400, 409]).toContain(refused);
    const logins = [OTHER_PASSWORD, 'navio feito de gelatina roxa'].map((one) =>
      api.browser().logIn(ANA, one),
    );
    const [first, second] = (await Promise.all(logins)).map(({ status }) => status);
    expect([first, second]).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
  });

  it('is for nobody but the session that used the temporary password, until an admin resets it again', async () => {
    const admin = await api.admin();
    const { body } = await admin.post('/api/users', {
      email: 'bia@itajai.example',
      name: 'Bia',
      role: 'user',
    });
    const bia = api.browser();
    await bia.logIn('bia@itajai.example', String(body.temporaryPassword));
    const { id } = await api.userOf('bia@itajai.example');
    const { body: again } = await admin.post(`/api/users/${id}/reset-password`);
    expect((await bia.post('/api/auth/password', { newPassword: GOOD_PASSWORD })).status).toBe(401);
    const fresh = api.browser();
    await fresh.logIn('bia@itajai.example', String(again.temporaryPassword));
    expect((await fresh.post('/api/auth/password', { newPassword: GOOD_PASSWORD })).status).toBe(200);
  });
});
