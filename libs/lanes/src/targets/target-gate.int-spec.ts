import { beforeEach, expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { OutboxTargetEntity } from './outbox-target.entity.ts';
import { TargetGate, targetNames } from './target-gate.ts';
import { TargetStore } from './target-store.ts';

const HOST = 'https://gateway.example';
const names = targetNames(`${HOST}/acks`, HOST);
const LEASE_MS = 60_000;

describeEachEngine(
  'what workers tell each other about targets',
  { entities: [OutboxTargetEntity] },
  (engine) => {
    let store: TargetStore;

    beforeEach(() => {
      store = new TargetStore(engine.uow);
    });

    const gate = (owner: string) => new TargetGate(store, owner);
    const state = async (name = HOST) => (await store.read([name])).states[0];
    /** As if the cool-down were over. */
    const expire = () =>
      engine.uow.run((tx) =>
        tx.execute(
          `UPDATE ${tx.dialect.table('TB_OUTBOX_TARGETS')} SET BlockedUntil = ${tx.dialect.nowPlusMs('-1000')}`,
        ),
      );

    it('an answer to what was begun before the target broke does not close its breaker', async () => {
      await store.trip(HOST, 0, 1_000);
      await store.close(HOST, 0);
      expect(await state()).toMatchObject({ openCount: 1 });
      await store.close(HOST, 1);
      expect(await state()).toMatchObject({ openCount: 0, blockedForMs: 0 });
    });

    it('only what a target accepts shows that it accepts messages', async () => {
      const written = new Date(Date.now() - 60_000);
      const one = gate('one');
      for (const evidence of ['judges', 'replies'] as const) one.learn(names, 0, { evidence });
      await one.refresh([names.target, names.group]);
      expect(one.hasServedSince(names.group, written)).toBe(false);
      one.learn(names, 0, { evidence: 'accepts' });
      expect(one.hasServedSince(names.group, written)).toBe(true);
      await one.refresh([names.group]);
      const other = gate('other');
      await other.refresh([names.group]);
      expect(other.hasServedSince(names.group, written)).toBe(true);
    });

    it('answers to questions do not hide that messages fail', () => {
      const one = gate('one');
      for (let n = 0; n < 5; n += 1) {
        expect(one.isDown(names.group)).toBe(false);
        one.learn(names, 0, { evidence: 'fails' });
        one.learn(names, 0, { evidence: 'replies' });
      }
      expect(one.isDown(names.group)).toBe(true);
    });

    it.each([
      ['after a success', 'accepts', 0],
      ['after a probe it answered', 'judges', 1],
      ['after a failure that opened its breaker', 'broken', 0],
      ['after a probe that told nothing', 'none', 1],
    ] as const)(
      'waits as long as it asks for when it is all its group, %s',
      async (_, evidence, openCount) => {
        const alone = targetNames(HOST, HOST);
        const one = gate('one');
        if (openCount > 0) {
          await store.trip(HOST, 0, 1_000);
          await expire();
          await one.refresh([HOST]);
          await one.admission(alone, LEASE_MS);
        }
        one.learn(alone, openCount, { evidence, blockMs: 3_600_000 });
        expect(one.isShut(alone)).toBe(true);
        await one.refresh([HOST]);
        expect((await state())?.blockedForMs).toBeGreaterThan(3_000_000);
        await store.trip(HOST, 1, 1_000);
        expect((await state())?.blockedForMs).toBeGreaterThan(3_000_000);
      },
    );

    it('one probe is enough for all addresses behind a breaker', async () => {
      let asked = 0;
      const take = store.takeProbe.bind(store);
      store.takeProbe = (...request) => {
        asked += 1;
        return take(...request);
      };
      const one = gate('one');
      await store.trip(HOST, 0, 1_000);
      await expire();
      const addresses = Array.from({ length: 20 }, (_, n) => targetNames(`${HOST}/${n}`, HOST));
      await one.refresh([HOST, ...addresses.map(({ target }) => target)]);
      const admitted: string[] = [];
      for (const address of addresses) admitted.push((await one.admission(address, LEASE_MS)).allowed);
      expect(admitted.filter((allowed) => allowed === 'one')).toHaveLength(1);
      expect(asked).toBe(1);
    });

    it('a probe is given back by whoever holds it, and by nobody else', async () => {
      await store.trip(HOST, 0, 1_000);
      await expire();
      expect(await store.takeProbe(HOST, 1, LEASE_MS, 'worker#1')).toBe(true);
      expect(await store.takeProbe(HOST, 1, LEASE_MS, 'worker#2')).toBe(false);
      await store.releaseProbe(HOST, 'worker#2', 0);
      expect((await state())?.blockedForMs).toBeGreaterThan(LEASE_MS / 2);
      await store.releaseProbe(HOST, 'worker#1', 0);
      expect(await store.takeProbe(HOST, 1, LEASE_MS, 'worker#2')).toBe(true);
    });

    it('a probe that fails by our own fault leaves the next one to others, soon', async () => {
      const one = gate('one');
      await store.trip(HOST, 0, 1_000);
      await expire();
      await one.refresh([names.target, names.group]);
      expect(await one.admission(names, LEASE_MS)).toEqual({ allowed: 'one', openCount: 1 });
      one.learn(names, 1, { evidence: 'none' });
      const other = gate('other');
      await one.refresh([names.group]);
      await other.refresh([names.group]);
      expect((await state())?.blockedForMs).toBeLessThanOrEqual(1_000);
    });

    it('patience is asked of one target, a breaker opens for all of its host', async () => {
      const one = gate('one');
      one.learn(names, 0, { evidence: 'judges', blockMs: 30_000 });
      await one.refresh([names.target, names.group]);
      const neighbour = targetNames(`${HOST}/returns`, HOST);
      const other = gate('other');
      await other.refresh([names.target, neighbour.target, HOST]);
      expect(await other.admission(names, LEASE_MS)).toMatchObject({ allowed: 'none' });
      expect(await other.admission(neighbour, LEASE_MS)).toMatchObject({ allowed: 'all' });
      other.learn(neighbour, 0, { evidence: 'broken' });
      expect(other.isShut(neighbour)).toBe(true);
      expect(other.isShut(names)).toBe(true);
    });

    it('an address that is too long for the column still has a name of its own', async () => {
      const long = (end: string) => targetNames(`${HOST}/${'x'.repeat(400)}${end}`, HOST);
      expect(long('a').target).not.toBe(long('b').target);
      const one = gate('one');
      one.learn(long('a'), 0, { evidence: 'judges', blockMs: 30_000 });
      await one.refresh([long('a').target, HOST]);
      const other = gate('other');
      await other.refresh([long('a').target, long('b').target, HOST]);
      expect(other.isShut(long('a'))).toBe(true);
      expect(other.isShut(long('b'))).toBe(false);
    });

    it('reads what it is asked for, not all that is known', async () => {
      for (let n = 0; n < 5; n += 1) await store.block(`${HOST}/${n}`, 1_000);
      const { states } = await store.read([`${HOST}/3`, `${HOST}/nobody`]);
      expect(states.map(({ target }) => target)).toEqual([`${HOST}/3`]);
      expect((await store.read([])).states).toEqual([]);
    });
  },
);
