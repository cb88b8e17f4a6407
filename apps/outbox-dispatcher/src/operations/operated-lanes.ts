import { AppError } from '@malote/app-error';
import { type Lane, LaneStore, targetName } from '@malote/lanes';
import { type UnitOfWork } from '@malote/persistence';

/** `readonly Lane[]`: the lanes people may look into and change. */
export const OPERATED_LANES = Symbol('operated lanes');

/** The origin that shares breaker and pause with a target of a lane; undefined when it has none. */
export type TargetOrigin = (lane: Lane, target: string) => string | undefined;

/** What workers say of a target is said of these: it asks for patience by itself, and is paused or down together with its group. */
export interface TargetNames {
  readonly target: string;
  readonly group: string;
}

export class OperatedLanes {
  readonly #stores = new Map<string, LaneStore>();

  constructor(
    lanes: readonly Lane[],
    uow: UnitOfWork,
    private readonly originOf: TargetOrigin,
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

  readonly namesOf = (lane: Lane, target: string): TargetNames => ({
    target: targetName(target),
    group: targetName(this.originOf(lane, target) ?? target),
  });
}

export function addressOrigin(_lane: Lane, target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).origin : undefined;
}
