import { expect, it, jest } from '@jest/globals';
import bcrypt from 'bcrypt';
import { Browser } from '../testing/browser.ts';
import {
  type Answer,
  describeNumberingApi,
  GOOD_PASSWORD,
  OTHER_PASSWORD,
} from '../testing/numbering-api.ts';
import { AuthHousekeeping } from './housekeeping.ts';
import { LoginThrottleEntity } from './login-throttle.entity.ts';

const ANA = 'ana@itajai.example';
const BIA = 'bia@itajai.example';
const HOUR_MS = 3_600_000;

describeNumberingApi(
  'guesses',
  (api) => {
    const from = (address: string) => new Browser(api, address);
    const fail = async (address: string, email: string, times: number) => {
      for (let n = 0; n < times; n += 1) {
        const { status } = await from(address).logIn(email, `guess ${n}`);
        if (status !== 401) throw new Error(`Attempt ${n + 1} was answered with ${status}`);
      }
    };
    const retryAfter = async (address: string, email: string, password = 'guess') => {
      const { status, headers, body } = await from(address).logIn(email, password);
      return status === 429 && body.code === 'too-many-attempts'
        ? Number(headers.get('retry-after'))
        : status;
    };

    it('cost more and more time', async () => {
      await api.admin();
      await fail('203.0.113.9', ANA, 6);
      const delays: number[] = [];
      for (let n = 0; n < 12; n += 1) {
        const seconds = await retryAfter('203.0.113.9', ANA);
        delays.push(seconds);
        api.pass(seconds * 1000 - 1);
        expect(await retryAfter('203.0.113.9', ANA, GOOD_PASSWORD)).toBe(1);
        api.pass(1);
        await fail('203.0.113.9', ANA, 1);
      }
      expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    });

    it('are refused without a look at the password, and do not count then', async () => {
      await api.admin();
      await fail('203.0.113.9', ANA, 6);
      const compare = jest.spyOn(bcrypt, 'compare');
      const refused = await Promise.all(
        [1, 2, 3, 4].map(() => retryAfter('203.0.113.9', ANA, GOOD_PASSWORD)),
      );
      expect(refused).toEqual([1, 1, 1, 1]);
      expect(compare).not.toHaveBeenCalled();
      api.pass(1000);
      expect(await retryAfter('203.0.113.9', ANA, GOOD_PASSWORD)).toBe(200);
    });

    it('are forgotten once the right password comes', async () => {
      await api.admin();
      await fail('203.0.113.9', ANA, 5);
      expect((await from('203.0.113.9').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      await fail('203.0.113.9', ANA, 6);
      expect(await retryAfter('203.0.113.9', ANA)).toBe(1);
    });

    it('are forgotten after a day', async () => {
      await api.admin();
      await fail('203.0.113.9', ANA, 5);
      api.pass(24 * HOUR_MS + 1);
      await fail('203.0.113.9', ANA, 6);
      expect(await retryAfter('203.0.113.9', ANA)).toBe(1);
    });

    it('all count when they come at once, and no more are looked at than are free', async () => {
      await api.admin();
      const compare = jest.spyOn(bcrypt, 'compare');
      const statuses = await Promise.all(
        Array.from(
          { length: 20 },
          async (_, n) => (await from('203.0.113.9').logIn(ANA, `guess ${n}`)).status,
        ),
      );
      expect(statuses.filter((status) => status === 401)).toHaveLength(6);
      expect(statuses.filter((status) => status === 429)).toHaveLength(14);
      expect(compare).toHaveBeenCalledTimes(6);
      const counters = await api.uow.read((tx) => tx.entities.find(LoginThrottleEntity));
      expect(counters.map(({ failures }) => failures).filter((failures) => failures === 6)).toHaveLength(3);
    });

    it('from many places make an account wait a minute at most, and not where its owner logs in from', async () => {
      await api.admin();
      expect((await from('198.51.100.1').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      for (let n = 0; n < 40; n += 1) {
        await fail(`203.0.113.${n}`, ANA, 1);
        api.pass(60_000);
      }
      api.pass(-60_000);
      expect(await retryAfter('203.0.113.77', ANA, GOOD_PASSWORD)).toBe(60);
      expect((await from('198.51.100.1').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
    });

    it('at many accounts make their address wait, but nobody elsewhere', async () => {
      await api.admin();
      for (let n = 0; n < 31; n += 1) await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
      expect(await retryAfter('203.0.113.9', ANA, GOOD_PASSWORD)).toBe(1);
      expect((await from('203.0.113.10').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
    });

    it('still count against their address when the guesser logs in to an account of their own', async () => {
      await api.admin();
      for (let n = 0; n < 30; n += 1) await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
      expect((await from('203.0.113.9').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      await fail('203.0.113.9', 'nobody30@itajai.example', 1);
      expect(await retryAfter('203.0.113.9', 'nobody31@itajai.example')).toBe(1);
    });

    it('at random accounts do not shut out who has logged in from the same address before', async () => {
      await api.admin();
      expect((await from('203.0.113.9').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      for (let n = 0; n < 31; n += 1) await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
      expect((await from('203.0.113.9').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      expect(await retryAfter('203.0.113.9', 'nobody31@itajai.example')).toBe(1);
    });

    it('are no guesses when two people mistype once a day, for weeks, and get it right then', async () => {
      const admin = await api.admin();
      await api.clerk(admin, BIA, 'Bia Lima');
      for (let day = 0; day < 25; day += 1) {
        for (const email of [ANA, BIA]) {
          await fail('203.0.113.9', email, 1);
          expect(await retryAfter('203.0.113.9', email, GOOD_PASSWORD)).toBe(200);
        }
        api.pass(24 * HOUR_MS);
      }
    });

    it('are forgotten by their address after an hour, whoever logs in from it meanwhile', async () => {
      await api.admin();
      for (let n = 0; n < 30; n += 1) await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
      api.pass(HOUR_MS);
      expect(await retryAfter('203.0.113.9', ANA, GOOD_PASSWORD)).toBe(200);
      api.pass(1);
      await fail('203.0.113.9', 'nobody30@itajai.example', 1);
      expect(await retryAfter('203.0.113.9', 'nobody31@itajai.example')).toBe(401);
    });

    it('leave no rows while they are refused', async () => {
      for (let n = 0; n < 31; n += 1) await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
      const count = () => api.uow.read((tx) => tx.entities.count(LoginThrottleEntity));
      const before = await count();
      for (let n = 50; n < 55; n += 1) {
        expect(await retryAfter('203.0.113.9', `nobody${n}@itajai.example`)).toBe(1);
      }
      expect(await count()).toBe(before);
    });

    it('of one leave an address open to all others who log in from it', async () => {
      const admin = await api.admin();
      await api.clerk(admin, BIA, 'Bia Lima');
      for (let n = 0; n < 33; n += 1) {
        await fail('203.0.113.9', `nobody${n}@itajai.example`, 1);
        api.pass(8000);
      }
      expect((await from('203.0.113.9').logIn(ANA, GOOD_PASSWORD)).status).toBe(200);
      expect((await from('203.0.113.9').logIn(BIA, GOOD_PASSWORD)).status).toBe(200);
    });

    it('at the current password cost time as well, and a weak new one does not', async () => {
      const admin = await api.admin();
      const change = async (currentPassword: string, newPassword: string) =>
        (await admin.post('/api/auth/password', { currentPassword, newPassword })).status;
      for (let n = 0; n < 8; n += 1) expect(await change(GOOD_PASSWORD, 'too short')).toBe(400);
      for (let n = 0; n < 6; n += 1) expect(await change(`guess ${n}`, OTHER_PASSWORD)).toBe(400);
      expect(await change(GOOD_PASSWORD, OTHER_PASSWORD)).toBe(429);
      api.pass(1000);
      expect(await change(GOOD_PASSWORD, OTHER_PASSWORD)).toBe(200);
    });

    it('that were turned away because too many came at once do not count', async () => {
      await api.admin();
      const waiting: (() => void)[] = [];
      jest.spyOn(bcrypt, 'compare').mockImplementation(
        () =>
          new Promise<boolean>((resolve) => {
            waiting.push(() => {
              resolve(false);
            });
          }) as never,
      );
      const flood = Array.from({ length: 60 }, (_, n) =>
        from(`203.0.113.${n}`).logIn(`u${n}@itajai.example`, 'x'),
      );
      const busy: Answer[] = [];
      const allTurnedAway = new Promise<void>((resolve) => {
        for (const one of flood) {
          void one.then((answer) => {
            if (answer.status === 503) busy.push(answer);
            if (busy.length === 7) resolve();
          });
        }
      });
      await allTurnedAway;
      expect(busy[0]).toMatchObject({ body: { code: 'login-busy' } });
      const timer = setInterval(() => {
        for (const finish of waiting.splice(0)) finish();
      }, 1);
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      clearInterval(timer);
      expect(statuses.filter((status) => status === 503)).toHaveLength(7);
      const counters = await api.uow.read((tx) => tx.entities.find(LoginThrottleEntity));
      expect(counters.filter(({ failures }) => failures === 1)).toHaveLength(53 * 3);
    });

    it('leave no trace after a month', async () => {
      await fail('203.0.113.9', ANA, 1);
      const housekeeping = api.service.app.get(AuthHousekeeping);
      const count = () => api.uow.read((tx) => tx.entities.count(LoginThrottleEntity));
      api.pass(30 * 24 * HOUR_MS - 1);
      await housekeeping.tidy();
      expect(await count()).toBe(3);
      api.pass(1);
      await housekeeping.tidy();
      expect(await count()).toBe(0);
    });
  },
  { env: { TRUST_PROXY: 'true' } },
);
