import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { type SeededRandom } from '../seeded-random.ts';
import { type Storm } from './storm.ts';
import { type Wish, type Wishes } from './wish.ts';
import { type Given, isCarefree, type Order, type Workers } from './workers.ts';
import { type YearTurn } from './year-turn.ts';

/** A number somebody heard. */
export interface Answer extends Given {
  readonly key: string;
  readonly documentTypeId: string;
}

/** `unreached`: nobody listens there any more. `unheard`: somebody got the request, and no answer came. */
interface Said {
  readonly status: number | 'unreached' | 'unheard';
  readonly text: string;
}

interface Stage {
  readonly numbers: number;
  readonly wishes: Wishes;
  readonly workers: Workers;
  readonly storm: Storm;
  readonly turn: YearTurn;
  readonly random: SeededRandom;
}

const IDLE_MS = 5;

/** People who want numbers. They ask anybody who listens, and when no answer comes, somebody else under the same key. */
export class Callers {
  readonly asked = new Map<string, Wish>();
  readonly answers: Answer[] = [];
  readonly refusals: string[] = [];
  lostAnswers = 0;
  unavailable = 0;
  private readonly agent = new Agent({ pipelining: 1 });
  private readonly answered = new Set<number>();
  private readonly givenUp = new Set<number>();
  private readonly again: number[] = [];
  private issued = 0;
  private busy = 0;

  constructor(private readonly stage: Stage) {}

  get answeredWishes(): number {
    return this.answered.size;
  }

  /** Wishes whose number was taken for a request that got no answer: who asked again heard of it. */
  get recovered(): number {
    const created = new Set(
      this.answers.filter(({ outcome }) => outcome === 'created').map(({ key }) => key),
    );
    return new Set(this.answers.filter(({ key }) => !created.has(key)).map(({ key }) => key)).size;
  }

  /** Until so many wishes are answered and nobody waits for anything any more. */
  async askAll(callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.askOnAndOn()));
  }

  async hangUp(): Promise<void> {
    await this.agent.destroy();
  }

  private async askOnAndOn(): Promise<void> {
    for (;;) {
      const n = this.next();
      if (n !== undefined) {
        this.busy += 1;
        await this.ask(n);
        this.busy -= 1;
      } else if (this.busy === 0) {
        return;
      } else {
        // Somebody who is being answered just now may have to ask again.
        await sleep(IDLE_MS);
      }
    }
  }

  private next(): number | undefined {
    const { numbers, random } = this.stage;
    const hasFresh = this.issued - this.givenUp.size < numbers;
    if (this.again.length > 0 && (!hasFresh || random.next() < 0.3)) {
      return this.again.splice(random.below(this.again.length), 1)[0];
    }
    if (!hasFresh) return undefined;
    this.issued += 1;
    return this.issued - 1;
  }

  private async ask(n: number): Promise<void> {
    const wish = this.stage.wishes.nth(n);
    const isFirst = !this.asked.has(wish.key);
    this.asked.set(wish.key, wish);
    const once = this.send(n, wish);
    if (isFirst && this.stage.wishes.isTwin(n)) await Promise.all([once, this.send(n, wish)]);
    else await once;
  }

  private async send(n: number, wish: Wish): Promise<void> {
    const { workers, storm, turn, random } = this.stage;
    const worker = await workers.choose(random.next());
    const doom = isCarefree(worker) ? storm.nextDoom() : undefined;
    worker.doom ??= doom;
    const { midnightAtMs } = turn;
    const said = await this.post(worker.url ?? '', { wish, midnightAtMs, ...(doom && { doom }) });
    switch (said.status) {
      case 200:
        this.hear(n, {
          ...(JSON.parse(said.text) as Given),
          key: wish.key,
          documentTypeId: wish.documentTypeId,
        });
        break;
      case 'unheard':
        this.lostAnswers += 1;
        this.askAgain(n);
        break;
      case 'unreached':
        this.again.push(n);
        break;
      case 503:
        this.unavailable += 1;
        this.again.push(n);
        break;
      default:
        this.refusals.push(said.text);
        this.givenUp.add(n);
    }
  }

  private async post(origin: string, order: Order): Promise<Said> {
    try {
      const body = JSON.stringify(order);
      const answer = await this.agent.request({ origin, path: '/', method: 'POST', body });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      const isDead = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      return { status: isDead ? 'unreached' : 'unheard', text: String(error) };
    }
  }

  private hear(n: number, answer: Answer): void {
    this.answers.push(answer);
    this.givenUp.delete(n);
    if (this.answered.has(n)) return;
    this.answered.add(n);
    if (this.stage.wishes.isForgetful(n)) this.again.push(n);
    this.stage.storm.reached(this.answered.size);
  }

  private askAgain(n: number): void {
    if (!this.answered.has(n) && this.stage.wishes.givesUp(n)) this.givenUp.add(n);
    else this.again.push(n);
  }
}
