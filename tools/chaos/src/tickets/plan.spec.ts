import { describe, expect, it } from '@jest/globals';
import { planOf } from './plan.ts';

const SIZE = { posts: 100, kills: 10, stops: 3 };

describe('the plan', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planOf(7, SIZE)).toEqual(planOf(7, SIZE));
    expect(planOf(7, SIZE)).not.toEqual(planOf(8, SIZE));
  });

  it('posts everything once, in order', () => {
    const bounds = planOf(7, { ...SIZE, posts: 103 }).flatMap(({ posts }) => posts);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect([bounds[0], bounds.at(-1)]).toEqual([0, 103]);
    for (let n = 3; n < bounds.length; n += 3) expect(bounds[n]).toBe(bounds[n - 1]);
  });

  it('kills both services, freezes both, and meets each kind of weather as often as any other', () => {
    const scenes = planOf(7, SIZE);
    const roles = new Set(scenes.map(({ kill }) => kill.role));
    const frozen = scenes.flatMap(({ freeze }) => (freeze ? [freeze.role] : []));
    const names = scenes.map(({ spell }) => spell.name).toSorted();
    expect(roles).toEqual(new Set(['ticket-api', 'outbox-dispatcher']));
    expect(frozen.toSorted()).toEqual(['outbox-dispatcher', 'outbox-dispatcher', 'ticket-api']);
    expect(names).toEqual(
      ['breaking', 'down', 'forgetful', 'overrun', 'slow'].flatMap((name) => [name, name]),
    );
  });
});
