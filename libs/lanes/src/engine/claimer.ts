import { type Tx, type UnitOfWork } from '@malote/persistence';
import { type LaneMessage } from '../lane/lane.ts';
import { type LaneStore } from '../lane/lane-store.ts';
import { type TargetLimits, TargetStore } from '../targets/target-store.ts';
import { type Budget } from './budget.ts';
import { type LaneSettings } from './lane-settings.ts';
import { type Pipe } from './pipe.ts';
import { concernsEverything } from './trouble.ts';

/** Few enough row locks never to escalate to a table lock. */
const MAX_ROWS = 1_000;
/** What a row costs in memory beside its texts. */
const ROW_BYTES = 1_024;

export interface Claim {
  readonly messages: readonly LaneMessage[];
  /** How large each of them is. */
  readonly sizes: readonly number[];
  /** A moment before the claim. */
  readonly claimedAt: number;
  /** So many were asked for, of each target. */
  readonly limit: number;
  readonly pipes: readonly Pipe[];
}

/** Takes rows for a worker: of many targets in one statement, and never more than the process has room for. */
export class Claimer {
  private readonly targets: TargetStore;
  private claims = 0;

  constructor(
    private readonly store: LaneStore,
    private readonly uow: UnitOfWork,
    private readonly budget: Budget,
    private readonly settings: LaneSettings,
    private readonly workerName: string,
  ) {
    this.targets = new TargetStore(uow);
  }

  /** How many more rows of its target a pipe can take. */
  room({ inHand }: Pipe): number {
    const { batch, concurrency } = this.settings;
    // A message that must not be sent twice is in doubt from its claim on: none is claimed before it can be begun.
    if (this.store.lane.doubt) return Math.max(0, concurrency - inHand);
    return inHand <= batch ? batch : 0;
  }

  /** One message of a broken target, to see whether it is back. */
  probe(pipe: Pipe): Promise<Claim> {
    return this.take([pipe], 1, (tx, owner) => this.claim(tx, [pipe], owner, 1));
  }

  /** No more than the target can take from all replicas together. */
  within(pipe: Pipe, { concurrency, perSecond }: TargetLimits): Promise<Claim> {
    const { group } = pipe.names;
    return this.take([pipe], this.room(pipe), async (tx, owner, wanted) => {
      let limit = wanted;
      if (concurrency !== undefined) {
        await this.targets.lockRow(tx, group);
        limit = Math.min(limit, concurrency - (await this.store.underWay(tx, pipe.target)));
      }
      if (perSecond === undefined) return limit > 0 ? this.claim(tx, [pipe], owner, limit) : [];
      const allowance = await this.targets.allowance(tx, group, limit, perSecond);
      if (allowance.granted === 0) return [];
      const messages = await this.claim(tx, [pipe], owner, allowance.granted);
      await this.targets.spend(tx, group, allowance, messages.length);
      return messages;
    });
  }

  /** Of all these targets what there is room for; each gets a share, so that none is served at the cost of the others. */
  async *share(pipes: readonly Pipe[]): AsyncGenerator<Claim> {
    if (pipes.length === 0) return;
    const room = Math.min(...pipes.map((pipe) => this.room(pipe)));
    const rest = new Set(pipes);
    for (let before = Infinity; rest.size > 0 && rest.size < before;) {
      before = rest.size;
      const each = Math.max(1, Math.min(room, Math.floor(this.budget.free / rest.size)));
      const most = Math.max(1, Math.floor(MAX_ROWS / each));
      for await (const claim of this.apart([...rest].slice(0, most), each)) {
        for (const pipe of claim.pipes) rest.delete(pipe);
        yield claim;
      }
    }
  }

  /** A target whose rows cannot be claimed must not starve the others: halves find it. */
  private async *apart(pipes: readonly Pipe[], limit: number): AsyncGenerator<Claim> {
    try {
      yield await this.take(pipes, limit, (tx, owner, each, chosen) => this.claim(tx, chosen, owner, each));
    } catch (error) {
      if (pipes.length === 1 || concernsEverything(error)) throw error;
      const half = Math.ceil(pipes.length / 2);
      yield* this.apart(pipes.slice(0, half), limit);
      yield* this.apart(pipes.slice(half), limit);
    }
  }

  private async take(
    pipes: readonly Pipe[],
    limit: number,
    claim: (tx: Tx, owner: string, limit: number, chosen: readonly Pipe[]) => Promise<LaneMessage[]>,
  ): Promise<Claim> {
    const granted = this.budget.reserve(limit * pipes.length);
    const chosen = pipes.slice(0, granted);
    const each = Math.floor(granted / Math.max(1, chosen.length));
    const owner = `${this.workerName}#${(this.claims += 1)}`;
    const claimedAt = performance.now();
    let sizes: number[] = [];
    try {
      const messages = each > 0 ? await this.uow.run((tx) => claim(tx, owner, each, chosen)) : [];
      sizes = messages.map(sizeOf);
      return { messages, sizes, claimedAt, limit: each, pipes: chosen };
    } finally {
      this.budget.claimed(granted, sizes);
    }
  }

  private claim(tx: Tx, pipes: readonly Pipe[], owner: string, limit: number): Promise<LaneMessage[]> {
    const targets = pipes.map(({ target }) => target);
    return this.store.claim(tx, { targets, owner, limit, leaseMs: this.settings.leaseMs });
  }
}

/** In bytes of memory, about: texts are what makes rows large. */
function sizeOf({ row }: LaneMessage): number {
  let size = ROW_BYTES;
  for (const value of Object.values(row)) if (typeof value === 'string') size += 2 * value.length;
  return size;
}
