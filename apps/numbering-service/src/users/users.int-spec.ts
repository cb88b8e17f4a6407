import { expect, it } from '@jest/globals';
import { UserSessionEntity } from '../auth/user-session.entity.ts';
import type { Browser } from '../testing/browser.ts';
import { describeNumberingApi, GOOD_PASSWORD } from '../testing/numbering-api.ts';
import { UserEntity } from './user.entity.ts';
import { UsersService } from './users.service.ts';

const ANA = 'ana@itajai.example';
const BIA = 'bia@itajai.example';
const NOBODY = '00000000-0000-4000-8000-000000000000';

describeNumberingApi('users', (api) => {
  const actions = async (admin: Browser) => {
    const { body } = await admin.get('/api/admin-actions');
    return body.items as Readonly<Record<string, unknown>>[];
  };

  it('are added with a temporary password', async () => {
    const admin = await api.admin();
    const answer = await admin.post('/api/users', {
      email: ' Bia@Itajai.example',
      name: ' Bia Lima ',
      role: 'user',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      temporaryPassword: expect.stringMatching(/^\w{5}-\w{5}-\w{5}-\w{5}$/),
      user: {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        email: BIA,
        name: 'Bia Lima',
        role: 'user',
        isActive: true,
        mustChangePassword: true,
        temporaryPasswordExpiresAt: new Date(api.now.getTime() + 72 * 3_600_000).toISOString(),
        lastLoginAt: null,
        createdAt: api.now.toISOString(),
        updatedAt: api.now.toISOString(),
      },
    });
    expect((await api.browser().logIn(BIA, String(answer.body.temporaryPassword))).status).toBe(200);
  });

  it.each([
    [{ email: 'bia', name: 'Bia', role: 'user' }, '/email'],
    [{ email: 'bía@itajai.example', name: 'Bia', role: 'user' }, '/email'],
    [{ email: BIA, name: ' B ', role: 'user' }, '/name'],
    [{ email: BIA, name: 'B'.repeat(101), role: 'user' }, '/name'],
    [{ email: BIA, name: 'Bia', role: 'root' }, '/role'],
    [{ email: BIA, name: 'Bia', role: 'user', isActive: true }, '/isActive'],
  ])('are not added from %j', async (json, pointer) => {
    const admin = await api.admin();
    expect(await admin.post('/api/users', json)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  it('have an e-mail address each, even when two are added at once', async () => {
    const admin = await api.admin();
    const add = (email: string) => admin.post('/api/users', { email, name: 'Bia Lima', role: 'user' });
    const answers = await Promise.all([add(BIA), add('BIA@itajai.example'), add(BIA)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await add(BIA)).toMatchObject({ status: 409, body: { code: 'email-taken' } });
  });

  it('are listed by name, as people sort them', async () => {
    const admin = await api.admin();
    for (const name of ['Zélia', 'Ângela', 'beto', 'Andrea']) {
      await admin.post('/api/users', { email: `${name.charCodeAt(0)}@itajai.example`, name, role: 'user' });
    }
    const zelia = await api.userOf('90@itajai.example');
    await admin.post(`/api/users/${zelia.id}/deactivate`);
    const names = async (query: string) => {
      const { body } = await admin.get(`/api/users${query}`);
      return (body.items as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('')).toEqual(['Ana Souza', 'Andrea', 'Ângela', 'beto', 'Zélia']);
    expect(await names('?active=true')).toEqual(['Ana Souza', 'Andrea', 'Ângela', 'beto']);
    expect(await names('?active=false')).toEqual(['Zélia']);
    expect((await admin.get('/api/users?active=maybe')).status).toBe(400);
    expect((await admin.get(`/api/users/${zelia.id}`)).body).toMatchObject({
      name: 'Zélia',
      isActive: false,
    });
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/deactivate'],
    ['POST', '/activate'],
    ['POST', '/reset-password'],
    ['POST', '/end-sessions'],
  ])('that do not exist are told: %s %s', async (method, path) => {
    const { accessToken: token } = await api.admin();
    const json = method === 'GET' ? {} : { json: {} };
    const unknown = await api.ask(`/api/users/${NOBODY}${path}`, { method, token, ...json });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'user-unknown' } });
    expect((await api.ask(`/api/users/7${path}`, { method, token, ...json })).status).toBe(400);
  });

  it('are another role from the very next request on', async () => {
    const admin = await api.admin();
    const bia = await api.clerk(admin, BIA, 'Bia Lima');
    const { id } = await api.userOf(BIA);
    expect((await bia.get('/api/users')).status).toBe(403);
    expect(await admin.patch(`/api/users/${id}`, { role: 'admin' })).toMatchObject({
      status: 200,
      body: { role: 'admin', name: 'Bia Lima' },
    });
    expect((await bia.get('/api/users')).status).toBe(200);
    await admin.patch(`/api/users/${id}`, { role: 'user', name: ' Bia Maria ' });
    expect((await bia.get('/api/users')).status).toBe(403);
    expect((await bia.get('/api/auth/me')).body).toMatchObject({ user: { name: 'Bia Maria', role: 'user' } });
  });

  it('are not changed by nothing, nor by nulls', async () => {
    const admin = await api.admin();
    const { id } = await api.userOf(ANA);
    const before = (await actions(admin)).length;
    expect((await admin.patch(`/api/users/${id}`, {})).status).toBe(200);
    expect((await admin.patch(`/api/users/${id}`, { name: 'Ana Souza', role: 'admin' })).status).toBe(200);
    expect(await actions(admin)).toHaveLength(before);
    expect((await admin.patch(`/api/users/${id}`, { name: null })).status).toBe(400);
    expect((await admin.patch(`/api/users/${id}`, { role: null })).status).toBe(400);
  });

  it('are out the moment they are deactivated, and in again with their own password', async () => {
    const admin = await api.admin();
    const bia = await api.clerk(admin, BIA, 'Bia Lima');
    const { id } = await api.userOf(BIA);
    expect(await admin.post(`/api/users/${id}/deactivate`)).toMatchObject({ body: { isActive: false } });
    expect((await bia.get('/api/auth/me')).status).toBe(401);
    expect((await bia.refresh()).status).toBe(401);
    expect((await api.browser().logIn(BIA, GOOD_PASSWORD)).status).toBe(401);
    const [session] = await api.uow.read((tx) => tx.entities.findBy(UserSessionEntity, { userId: id }));
    expect(session).toMatchObject({ endReason: 'deactivated', endedAt: api.now });

    expect(await admin.post(`/api/users/${id}/activate`)).toMatchObject({ body: { isActive: true } });
    expect((await bia.get('/api/auth/me')).status).toBe(401);
    expect((await api.browser().logIn(BIA, GOOD_PASSWORD)).status).toBe(200);
  });

  it('get a temporary password when theirs is reset, and all their sessions end', async () => {
    const admin = await api.admin();
    const bia = await api.clerk(admin, BIA, 'Bia Lima');
    const { id } = await api.userOf(BIA);
    const { status, body } = await admin.post(`/api/users/${id}/reset-password`);
    expect([status, body.user]).toMatchObject([200, { mustChangePassword: true }]);
    expect((await bia.get('/api/auth/me')).status).toBe(401);
    expect((await bia.refresh()).status).toBe(401);
    expect((await api.browser().logIn(BIA, GOOD_PASSWORD)).status).toBe(401);
    expect(await api.browser().logIn(BIA, String(body.temporaryPassword))).toMatchObject({
      status: 200,
      body: { mustChangePassword: true },
    });
  });

  it('get no temporary password while they are shut out', async () => {
    const admin = await api.admin();
    await api.clerk(admin, BIA, 'Bia Lima');
    const { id, passwordHash } = await api.userOf(BIA);
    await admin.post(`/api/users/${id}/deactivate`);
    expect(await admin.post(`/api/users/${id}/reset-password`)).toMatchObject({
      status: 409,
      body: { code: 'user-inactive' },
    });
    expect(await api.userOf(BIA)).toMatchObject({ passwordHash, mustChangePassword: false });
  });

  it('can be logged out everywhere by an admin', async () => {
    const admin = await api.admin();
    const bia = await api.clerk(admin, BIA, 'Bia Lima');
    await api.browser().logIn(BIA, GOOD_PASSWORD);
    const { id } = await api.userOf(BIA);
    expect(await admin.post(`/api/users/${id}/end-sessions`)).toMatchObject({
      status: 200,
      body: { ended: 2 },
    });
    expect((await bia.get('/api/auth/me')).status).toBe(401);
    expect((await api.browser().logIn(BIA, GOOD_PASSWORD)).status).toBe(200);
  });

  it('do not shut themselves out', async () => {
    const admin = await api.admin();
    await api.clerk(admin, BIA, 'Bia Lima', 'admin');
    const { id } = await api.userOf(ANA);
    const answers = [
      await admin.post(`/api/users/${id}/deactivate`),
      await admin.post(`/api/users/${id}/reset-password`),
      await admin.patch(`/api/users/${id}`, { role: 'user' }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 409, body: { code: 'not-yourself' } });
    expect((await admin.patch(`/api/users/${id}`, { name: 'Ana Maria' })).status).toBe(200);
  });

  it.each([
    ['deactivate', (browser: Browser, id: string) => browser.post(`/api/users/${id}/deactivate`)],
    ['demote', (browser: Browser, id: string) => browser.patch(`/api/users/${id}`, { role: 'user' })],
  ])('of whom two admins %s each other at once leave one', async (_name, act) => {
    const ana = await api.admin();
    const bia = await api.clerk(ana, BIA, 'Bia Lima', 'admin');
    const [anaId, biaId] = [(await api.userOf(ANA)).id, (await api.userOf(BIA)).id];
    const answers = await Promise.all([act(ana, biaId), act(bia, anaId)]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    // Whoever comes second is refused as no admin any more, or told that there is no other.
    const refused = answers.find(({ status }) => status !== 200);
    expect(['last-admin', 'admins-only', 'session-invalid']).toContain(refused?.body.code);
    const left = await api.uow.read((tx) =>
      tx.entities.countBy(UserEntity, { role: 'admin', isActive: true }),
    );
    expect(left).toBe(1);
  });

  it('of whom the last admin stays, even against an admin who was removed while asking', async () => {
    const ana = await api.admin();
    await api.clerk(ana, BIA, 'Bia Lima', 'admin');
    const [first, second] = [await api.userOf(ANA), await api.userOf(BIA)];
    const users = api.service.app.get(UsersService);
    await users.deactivate(first, second.id);
    await expect(users.deactivate(second, first.id)).rejects.toMatchObject({ code: 'last-admin' });
    await expect(users.update(second, first.id, { role: 'user' })).rejects.toMatchObject({
      code: 'last-admin',
    });
  });
});

describeNumberingApi('the first admin', (api) => {
  it('is made when there is none', async () => {
    const { outcome, user, temporaryPassword } = await api.firstAdmin(' ANA@itajai.example', ' Ana Souza ');
    expect([outcome, user.email, user.name, user.role]).toEqual(['created', ANA, 'Ana Souza', 'admin']);
    expect((await api.browser().logIn(ANA, temporaryPassword)).status).toBe(200);
  });

  it('is not made beside another', async () => {
    await api.firstAdmin();
    await expect(api.firstAdmin(BIA, 'Bia Lima')).rejects.toMatchObject({ code: 'admin-exists' });
  });

  it('is let in again, whatever became of the account', async () => {
    const ana = await api.admin();
    await api.uow.run((tx) =>
      tx.entities.update(UserEntity, { email: ANA }, { role: 'user', isActive: false }),
    );
    const { outcome, temporaryPassword } = await api.firstAdmin(ANA, 'Somebody Else');
    expect(outcome).toBe('reset');
    expect(await api.userOf(ANA)).toMatchObject({ role: 'admin', isActive: true, name: 'Ana Souza' });
    expect((await ana.get('/api/auth/me')).status).toBe(401);
    expect((await api.browser().logIn(ANA, GOOD_PASSWORD)).status).toBe(401);
    expect((await api.browser().logIn(ANA, temporaryPassword)).status).toBe(200);
  });

  it.each([
    ['ana', 'Ana Souza', 'invalid-email'],
    [ANA, 'A', 'invalid-name'],
  ])('is not made of %j and %j', async (email, name, code) => {
    await expect(api.firstAdmin(email, name)).rejects.toMatchObject({ kind: 'invalid', code });
  });
});
