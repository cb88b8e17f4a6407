import { type TargetNames } from '../targets/target-gate.ts';
import { type Held } from './held-rows.ts';

/** One target's share of a worker: a slow partner fills its own only. */
export class Pipe {
  readonly waiting: Held[] = [];
  active = 0;
  /** There are more due rows than the last claim brought: no need to look first. */
  hot = false;
  /** The worker's claim that last asked for its rows; they are counted. */
  turn = 0;

  constructor(
    readonly target: string,
    readonly names: TargetNames,
  ) {}

  get inHand(): number {
    return this.waiting.length + this.active;
  }

  get isIdle(): boolean {
    return this.inHand === 0 && !this.hot;
  }

  /** Takes out those that have not begun and were not sent to find out whether the target is back. */
  takeBack(): Held[] {
    const stays = this.waiting.filter(({ openCount }) => openCount > 0);
    const back = this.waiting.filter(({ openCount }) => openCount === 0);
    this.waiting.splice(0, this.waiting.length, ...stays);
    return back;
  }
}

/** The targets a worker has to do with. They are as many as callers name; only those with work are kept in mind. */
export class Pipes {
  private readonly byTarget = new Map<string, Pipe>();

  constructor(private readonly namesOf: (target: string) => TargetNames) {}

  of(target: string): Pipe {
    let pipe = this.byTarget.get(target);
    if (!pipe) {
      pipe = new Pipe(target, this.namesOf(target));
      this.byTarget.set(target, pipe);
    }
    return pipe;
  }

  all(): IterableIterator<Pipe> {
    return this.byTarget.values();
  }

  forgetIdle(pipe: Pipe): void {
    if (pipe.isIdle && this.byTarget.get(pipe.target) === pipe) this.byTarget.delete(pipe.target);
  }
}
