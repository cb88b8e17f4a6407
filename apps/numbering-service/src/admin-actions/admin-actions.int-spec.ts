import { UnitOfWork } from '@malote/persistence';
import { expect, it } from '@jest/globals';
import { describeNumberingApi } from '../testing/numbering-api.ts';
import { UserEntity } from '../users/user.entity.ts';
import { AdminActionEntity } from './admin-action.entity.ts';
import { AdminActions } from './admin-actions.ts';

const BIA = 'bia@itajai.example';

describeNumberingApi('what admins do', (api) => {
  it('is written down with who, when and to whom, newest first', async () => {
    const admin = await api.admin();
    await api.clerk(admin, BIA, 'Bia Lima');
    const { id: userId } = await api.userOf(BIA);
    api.pass(1000);
    await admin.patch(`/api/users/${userId}`, { role: 'admin' });
    await admin.post(`/api/users/${userId}/deactivate`);
    await admin.post(`/api/users/${userId}/deactivate`);
    await admin.post(`/api/users/${userId}/activate`);
    await admin.post(`/api/users/${userId}/reset-password`);
    await admin.post(`/api/users/${userId}/end-sessions`);
    const { body } = await admin.get('/api/admin-actions');
    const ana = await api.userOf('ana@itajai.example');
    const by = { actorId: ana.id, actorName: 'Ana Souza', subject: 'Bia Lima', reason: null };
    const of = { userId, email: BIA };
    expect(body.items).toMatchObject([
      { ...by, action: 'user-sessions-ended', details: { ...of, sessions: 0 }, at: api.now.toISOString() },
      { ...by, action: 'user-password-reset', details: of },
      { ...by, action: 'user-activated', details: of },
      { ...by, action: 'user-deactivated', details: { ...of, sessions: 1 } },
      {
        ...by,
        action: 'user-changed',
        details: {
          ...of,
          before: { name: 'Bia Lima', role: 'user' },
          after: { name: 'Bia Lima', role: 'admin' },
        },
      },
      { ...by, action: 'user-created', details: { ...of, role: 'user' } },
      { actorId: 'console', actorName: 'console', action: 'user-created', subject: 'Ana Souza' },
    ]);
    expect(JSON.stringify(body)).not.toContain('$2b$');
  });

  it('is read page by page', async () => {
    const admin = await api.admin();
    for (const n of [1, 2, 3, 4]) {
      await admin.post('/api/users', { email: `u${n}@itajai.example`, name: `User ${n}`, role: 'user' });
    }
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await admin.get(`/api/admin-actions?limit=2${next}`);
      seen.push(...(body.items as { subject: string }[]).map(({ subject }) => subject));
      next = typeof body.next === 'string' ? `&cursor=${body.next}` : '';
    } while (next !== '');
    expect(seen).toEqual(['User 4', 'User 3', 'User 2', 'User 1', 'Ana Souza']);
  });

  it('is forgotten with what is not done after all', async () => {
    const actions = api.service.app.get(AdminActions);
    const undone = api.service.app.get(UnitOfWork).run(async (tx) => {
      const actor = { id: 'console', name: 'console' };
      await actions.record(tx, actor, { action: 'test', subject: 'nobody', reason: 'to see' });
      expect(await actions.list(tx, undefined, 1)).toMatchObject([{ action: 'test', reason: 'to see' }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await api.uow.read((tx) => tx.entities.count(AdminActionEntity))).toBe(0);
    expect(await api.uow.read((tx) => tx.entities.count(UserEntity))).toBe(0);
  });
});
