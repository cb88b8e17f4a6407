import { Outbox } from '@malote/lanes';
import { type UnitOfWork } from '@malote/persistence';
import { type SeededRandom } from '../seeded-random.ts';
import { type ChaosMessage, keyOf, payloadOf } from './message.ts';
import { type StormLane } from './storm-lane.ts';

const PER_UNIT = 20;
const REPEAT_SHARE = 0.05;

/** Enqueues as a service would, and now and then the same message again: to enqueue twice is to enqueue once. */
export class Producer {
  readonly enqueued = new Set<string>();
  repeats = 0;
  /** Repeats that made a second row. */
  repeatsTaken = 0;
  private readonly outbox = new Outbox();
  private readonly sequences = new Map<string, number>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly stormLane: StormLane,
    private readonly targetUrl: string,
    private readonly random: SeededRandom,
  ) {}

  async produce(count: number, orderKeys: readonly string[]): Promise<void> {
    for (let left = count; left > 0; left -= PER_UNIT) {
      const messages = Array.from({ length: Math.min(left, PER_UNIT) }, () => this.nextOf(orderKeys));
      const repeated = messages.filter(() => this.random.next() < REPEAT_SHARE);
      const repeatsTaken = await this.enqueue(messages, repeated);
      this.repeats += repeated.length;
      this.repeatsTaken += repeatsTaken;
      for (const message of messages) this.enqueued.add(keyOf(message));
    }
  }

  private enqueue(messages: readonly ChaosMessage[], repeated: readonly ChaosMessage[]): Promise<number> {
    const { lane, columnsOf } = this.stormLane;
    return this.uow.run(async (tx) => {
      const put = (message: ChaosMessage, payload: string) =>
        this.outbox.enqueue(tx, lane, {
          messageKey: keyOf(message),
          orderKey: message.orderKey,
          targetUrl: this.targetUrl,
          payload,
          columns: columnsOf(message),
        });
      for (const message of messages) await put(message, payloadOf(message));
      let taken = 0;
      // Should one of these ever be sent, the sink's ledger shows a body nobody wrote the first time.
      for (const message of repeated) if ((await put(message, '{"copy":true}')).inserted) taken += 1;
      return taken;
    });
  }

  private nextOf(orderKeys: readonly string[]): ChaosMessage {
    const orderKey = this.random.pick(orderKeys) ?? 'only';
    const sequence = this.sequences.get(orderKey) ?? 0;
    this.sequences.set(orderKey, sequence + 1);
    return { orderKey, sequence };
  }
}
