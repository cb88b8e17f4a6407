import { AppError } from '@malote/app-error';
import { type Lane, LaneStore } from '@malote/outbox';
import { type UnitOfWork } from '@malote/persistence';

/** `readonly Lane[]`: the lanes people may look into and change. */
export const OPERATED_LANES = Symbol('operated lanes');

/** The origin that shares breaker and pause with a target of a lane; undefined when it has none. */
export type TargetOrigin = (lane: Lane, target: string) => string | undefined;

export class OperatedLanes {
  readonly #stores = new Map<string, LaneStore>();

  constructor(
    lanes: readonly Lane[],
    uow: UnitOfWork,
    readonly originOf: TargetOrigin,
  ) {
    for (const lane of lanes) this.#stores.set(lane.name, new LaneStore(lane, uow));
  }

  all(): LaneStore[] {
    return [...this.#stores.values()];
  }

  get(name: string): LaneStore {
    const store = this.#stores.get(name);
    if (store) return store;
    const lanes = [...this.#stores.keys()];
    const message = `There is no lane ${name}; there are ${lanes.join(', ')}`;
    throw new AppError('not-found', 'unknown-lane', message, { details: { lanes } });
  }
}

export function addressOrigin(_lane: Lane, target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).origin : undefined;
}

/** How a lane is called where pauses are kept. */
export function pauseName({ name }: Lane): string {
  return `lane:${name}`;
}
