import { setTimeout as sleep } from 'node:timers/promises';
import { BASIC_PHASE, WEIGHED_PHASE } from '@malote/tickets';
import { Agent } from 'undici';
import { SeededRandom } from '../seeded-random.ts';
import { digestOf, nameOf, ticketOf } from './ticket.ts';

/** A post that was answered with 200. */
export interface Receipt {
  readonly ticket: string;
  readonly id: string;
  readonly digest: string;
  /** By the clock of this machine, in ms. */
  readonly answeredAt: number;
}

interface Post {
  readonly ticket: string;
  readonly body: string;
  /** Posts go out in this order. */
  readonly at: number;
}

const CLIENTS = 16;
const PATIENCE_MS = 2_000;
const PAUSE_MS = 150;
const REPEAT_SHARE = 0.1;
/** How many documents a post may be late by: now and then the weights are known before the rest. */
const LATE_BASIC = 15;
const LATE_WEIGHED = 40;

/** Posts tickets until each is accepted, some of them twice, as partners do who have lost an answer. */
export class Partner {
  readonly posts: readonly Post[];
  readonly receipts: Receipt[] = [];
  /** Why posts were sent again, and how often. */
  readonly retries: Record<string, number> = {};
  /** Answers no partner should get for a ticket that is in order. */
  readonly refusals: string[] = [];
  private readonly connections = new Agent();

  constructor(
    private readonly urls: () => readonly string[],
    private readonly token: string,
    seed: number,
    documents: number,
  ) {
    this.posts = planPosts(seed, documents);
  }

  /** Resolves when every one of these posts was answered for good. */
  async post(from: number, to: number): Promise<void> {
    const queue = this.posts.slice(from, to).entries();
    const client = async () => {
      for (const [n, post] of queue) await this.postUntilAnswered(post, n);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  async hangUp(): Promise<void> {
    await this.connections.destroy();
  }

  private async postUntilAnswered(post: Post, n: number): Promise<void> {
    for (let attempt = n; ; attempt += 1) {
      const urls = this.urls();
      const url = urls[attempt % Math.max(urls.length, 1)];
      const answer = url === undefined ? 'nobody listens' : await this.tryOnce(url, post);
      if (answer === undefined) return;
      this.retries[answer] = (this.retries[answer] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  }

  /** Undefined when it was answered for good, otherwise why it has to be tried again. */
  private async tryOnce(url: string, { ticket, body }: Post): Promise<string | undefined> {
    let status: number;
    let text: string;
    try {
      const answer = await this.connections.request({
        origin: url,
        path: '/api/tickets',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      status = answer.statusCode;
      text = await answer.body.text();
    } catch (error) {
      return causeOf(error);
    }
    if (status >= 500 || status === 429) return String(status);
    if (status !== 200) this.refusals.push(`${ticket} was answered ${status}: ${text.slice(0, 200)}`);
    else {
      const { id } = JSON.parse(text) as { id: string };
      this.receipts.push({ ticket, id, digest: digestOf(body), answeredAt: Date.now() });
    }
    return undefined;
  }
}

function planPosts(seed: number, documents: number): Post[] {
  const random = new SeededRandom(seed);
  const posts = Array.from({ length: documents }, (_, n) => n).flatMap((n) =>
    ([BASIC_PHASE, WEIGHED_PHASE] as const).flatMap((phaseCode) => {
      const ticket = ticketOf(seed, n, phaseCode);
      const at = n + random.between(0, phaseCode === BASIC_PHASE ? LATE_BASIC : LATE_WEIGHED);
      const post = { ticket: nameOf(ticket), body: JSON.stringify(ticket), at };
      if (random.next() >= REPEAT_SHARE) return [post];
      // Half of the repeats go out beside the post they repeat.
      return [post, { ...post, at: at + Math.max(0, random.between(-LATE_WEIGHED, LATE_WEIGHED)) }];
    }),
  );
  return posts.sort((a, b) => a.at - b.at);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, name } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : name;
}
