import { setTimeout as sleep } from 'node:timers/promises';
import { type Busy, type Crew } from './crew.ts';
import { type Gateway } from './gateway.ts';
import { type Partner } from './partner.ts';
import { type FrozenVictim, type Scene, type Victim } from './plan.ts';
import { type Rows } from './rows.ts';
import { FAIR, unsettled } from './weather.ts';

export interface Stage {
  readonly seed: number;
  readonly plan: readonly Scene[];
  readonly leaseMs: number;
  readonly crew: Crew;
  readonly gateway: Gateway;
  readonly partner: Partner;
  readonly rows: Rows;
}

const RECOVERY_LIMIT_MS = 5_000;
/** Rows in hand that make somebody busy: one or two may just hang. */
const HANDFUL = 5;

/** Rows that were in the hands of those who were killed or frozen. */
export interface Left {
  readonly abandoned: number;
  readonly withheld: number;
}

/** Tickets keep coming while everything goes wrong, then the weather clears. */
export async function storm(stage: Stage): Promise<Left> {
  const { plan, gateway } = stage;
  const left = { abandoned: 0, withheld: 0 };
  const thawing: Promise<void>[] = [];
  for (const scene of plan) {
    const strikes = async () => {
      const posting = await postInBursts(stage, scene);
      if (scene.freeze) {
        const { held, thawed } = await freeze(stage, scene.freeze);
        left.withheld += held;
        thawing.push(thawed);
      }
      await sleep(scene.killAfterMs);
      left.abandoned += await kill(stage, scene.kill);
      await posting.done;
    };
    await Promise.all([strikes(), passSpell(stage, scene)]);
  }
  await Promise.all(thawing);
  await gateway.turn(FAIR);
  return left;
}

async function passSpell({ seed, gateway, rows }: Stage, { spell, calmMs }: Scene): Promise<void> {
  await gateway.turn(spell.faults);
  await sleep(spell.lastsMs);
  await gateway.turn(unsettled(seed));
  // Outages that follow each other would keep everybody waiting for a probe, and nobody at work.
  const until = performance.now() + RECOVERY_LIMIT_MS;
  while ((await rows.isGatewayGivenUp()) && performance.now() < until) await sleep(50);
  await sleep(calmMs);
}

/** Resolves when the second burst has begun. */
async function postInBursts(
  { partner }: Stage,
  { posts, burstAfterMs }: Scene,
): Promise<{ done: Promise<unknown> }> {
  const [from, middle, to] = posts;
  const first = partner.post(from, middle);
  await sleep(burstAfterMs);
  return { done: Promise.all([first, partner.post(middle, to)]) };
}

async function kill({ crew, rows }: Stage, victim: Victim): Promise<number> {
  return rows.heldBy(await crew.kill(victim, busyWith(rows)));
}

async function freeze(
  { crew, rows, leaseMs }: Stage,
  victim: FrozenVictim,
): Promise<{ held: number; thawed: Promise<void> }> {
  const { pid, thaw } = await crew.freeze(victim, busyWith(rows));
  const thawed = sleep(leaseMs * victim.leases).then(thaw);
  return { held: await rows.heldBy(pid), thawed };
}

/** Of a ticket-api nobody can tell from outside. */
function busyWith(rows: Rows): Busy {
  return async (role, pid) => role === 'ticket-api' || (await rows.heldBy(pid)) >= HANDFUL;
}
