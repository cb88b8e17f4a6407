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
  /** The last claim left targets out, since others have all the room. */
  isShort = false;
  private readonly targets: TargetStore;
  private claims = 0;

  constructor(
    private readonly store: LaneStore,
    private readonly uow: UnitOfWork,
    private readonly budget: Budget,
    private readonly settings: LaneSettings,
    private readonly workerName: string,
    private readonly troubled: (error: unknown) => void,
  ) {
    this.targets = new TargetStore(uow);
  }

  /** How many more rows of its target a pipe can take, as far as it alone is concerned. */
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
    const share = Math.max(pipe.inHand === 0 ? 1 : 0, this.shareOf([pipe]));
    return this.take([pipe], share, async (tx, owner, wanted) => {
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
    let rest = pipes.toSorted(byTurn);
    for (let next = this.entitled(rest); next.length > 0; next = this.entitled(rest)) {
      const each = Math.min(MAX_ROWS, Math.max(1, this.shareOf(next)));
      const some = next.slice(0, Math.floor(MAX_ROWS / each));
      const asked = new Set(some);
      rest = rest.filter((pipe) => !asked.has(pipe));
      yield* this.apart(some, each);
    }
    const [left] = rest;
    this.isShort = left !== undefined;
    if (left) this.budget.awaitShare(rest.length, left.inHand);
  }

  /** Those that have had less than their share; when there is too little for all of them, those that have nothing. */
  private entitled(pipes: readonly Pipe[]): readonly Pipe[] {
    const fair = this.budget.share(pipes.length, 0);
    const poor = pipes.filter(({ inHand }) => inHand <= fair);
    if (this.shareOf(poor) > 0) return poor;
    return pipes.filter(({ inHand }) => inHand === 0).slice(0, this.budget.free);
  }

  /** How many rows each of these may claim. */
  private shareOf(pipes: readonly Pipe[]): number {
    const most = Math.max(0, ...pipes.map(({ inHand }) => inHand));
    const room = Math.min(...pipes.map((pipe) => this.room(pipe)));
    return Math.min(room, this.budget.share(pipes.length, most));
  }

  /** A target whose rows cannot be claimed must not starve the others: halves find it. */
  private async *apart(pipes: readonly Pipe[], limit: number): AsyncGenerator<Claim> {
    try {
      yield await this.take(pipes, limit, (tx, owner, each, chosen) => this.claim(tx, chosen, owner, each));
    } catch (error) {
      if (concernsEverything(error)) throw error;
      if (pipes.length === 1) {
        this.troubled(error);
        yield { messages: [], sizes: [], claimedAt: performance.now(), limit: 0, pipes };
        return;
      }
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
    for (const pipe of chosen) pipe.turn = this.claims;
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

/** Who has least comes first, and among equals who has waited longest for a turn. */
function byTurn(a: Pipe, b: Pipe): number {
  return a.inHand - b.inHand || a.turn - b.turn;
}

/** In bytes of memory, about: texts are what makes rows large. */
function sizeOf({ row }: LaneMessage): number {
  let size = ROW_BYTES;
  for (const value of Object.values(row)) if (typeof value === 'string') size += 2 * value.length;
  return size;
}
