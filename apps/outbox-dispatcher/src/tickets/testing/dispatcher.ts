import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, LaneStore, Operations, Outbox, type OutboxMessage } from '@malote/lanes';
import { type Received, Sink } from '@malote/http-delivery/testing';
import { UnitOfWork } from '@malote/persistence';
import { describeEachEngine, type TestEngine } from '@malote/persistence/testing';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import {
  functionalAck,
  TICKET_LANES,
  TicketInterfaceEntity,
  TicketReturnOutboxEntity,
} from '@malote/tickets';
import { TICKET_TABLES, ticketRow } from '@malote/tickets/testing';
import { afterEach, beforeEach, describe } from '@jest/globals';
import { service as definition } from '../../service.ts';

type Ticket = Partial<TicketInterfaceEntity>;

/** What deliveries to the address of ASB are signed with. */
export const ASB_SECRET = `whsec_${Buffer.from('a secret that only ASB is told').toString('base64')}`;
const WAIT_MS = 15_000;
const SWEEP_AFTER_MS = 5_000;

/** The same tests on each engine, each against a dispatcher and a gateway of its own. */
export function describeDispatcher(name: string, suite: (dispatcher: Dispatcher) => void): void {
  describeEachEngine(name, { entities: [...TICKET_TABLES] }, (engine) => {
    // Inside, so that the dispatcher ends before its tables are emptied.
    describe('by a running dispatcher', () => {
      suite(new Dispatcher(engine));
    });
  });
}

/** A dispatcher and the gateway it delivers to. */
export class Dispatcher {
  private gateway: Sink | undefined;
  private running: TestService | undefined;

  constructor(readonly engine: TestEngine) {
    beforeEach(async () => {
      this.gateway = await new Sink().open();
      await this.start();
    });
    afterEach(async () => {
      await this.stop();
      await this.sink.close();
    });
  }

  get sink(): Sink {
    if (!this.gateway) throw new Error('The gateway is open inside hooks and tests only');
    return this.gateway;
  }

  get service(): TestService {
    if (!this.running) throw new Error('The dispatcher does not run now');
    return this.running;
  }

  async start(): Promise<void> {
    const env = {
      DATABASE_URL: this.engine.databaseUrl,
      GATEWAY_URL: this.sink.url('/gateway'),
      GATEWAY_URL_ASB: this.sink.url('/asb'),
      GATEWAY_SIGNING_SECRETS_ASB: ASB_SECRET,
    };
    this.running = await startTestService(definition, { env });
  }

  async stop(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  /** As ticket-api stores it: phase 6 is not due before phase 15 has been processed. */
  async receive(ticket: Ticket): Promise<void> {
    const waits = ticket.phaseCode === 6 ? { nextAttemptAt: null } : {};
    await this.service.app.get(UnitOfWork).run(async (tx) => {
      await tx.entities.save(TicketInterfaceEntity, ticketRow({ ...waits, ...ticket }));
      this.service.app.get(Outbox).wakeAfter(tx);
    });
  }

  async enqueueAck(message: Partial<OutboxMessage>): Promise<void> {
    const outbox = this.service.app.get(Outbox);
    await this.service.app.get(UnitOfWork).run((tx) =>
      outbox.enqueue(tx, functionalAck, {
        messageKey: 'ack-1',
        targetUrl: this.sink.url('/gateway/functional-ack/v3'),
        payload: '{}',
        columns: { BusinessDocId: 'D1' },
        ...message,
      }),
    );
  }

  replay(lane: Lane): Promise<number> {
    const operations = new Operations(this.engine.uow, new Outbox());
    return operations.replay(lane, {}, { actor: 'maria', reason: 'the gateway was fixed' });
  }

  tickets(): Promise<TicketInterfaceEntity[]> {
    return this.engine.uow.read((tx) => tx.entities.find(TicketInterfaceEntity, { order: { id: 'ASC' } }));
  }

  async ticket(phaseCode = 15): Promise<TicketInterfaceEntity> {
    const found = (await this.tickets()).find((ticket) => ticket.phaseCode === phaseCode);
    if (!found) throw new Error(`There is no ticket of phase ${phaseCode}`);
    return found;
  }

  returns(): Promise<TicketReturnOutboxEntity[]> {
    return this.engine.uow.read((tx) => tx.entities.find(TicketReturnOutboxEntity, { order: { id: 'ASC' } }));
  }

  /** What the gateway was told at an address, by phase. */
  phasesAt(path: string): number[] {
    return this.receivedAt(path).map(phaseOf);
  }

  receivedAt(path: string): Received[] {
    return this.sink.received.filter((request) => request.path === path);
  }

  /** Back-off is minutes in the end: makes due at once whatever is to be tried again. */
  async hurry(): Promise<void> {
    await this.service.app.get(UnitOfWork).run(async (tx) => {
      for (const lane of TICKET_LANES) {
        const { status, nextAttemptAt } = lane.columns;
        await tx.execute(
          `UPDATE ${tx.dialect.table(lane.table)} SET ${nextAttemptAt} = ${tx.dialect.now} ` +
            `WHERE ${status} = '${lane.states.failed}' AND ${nextAttemptAt} > ${tx.dialect.now}`,
        );
      }
      this.service.app.get(Outbox).wakeAfter(tx);
    });
  }

  readonly allDelivered = async (): Promise<boolean> =>
    (await this.tickets()).every(
      (ticket) => ticket.returnStatus === 'Sent' && ticket.gatewaySendStatus === 'Sent',
    );

  async eventually(check: () => Promise<boolean> | boolean): Promise<void> {
    const began = Date.now();
    while (!(await check())) {
      const waitedMs = Date.now() - began;
      if (waitedMs > WAIT_MS) throw new Error(`never happened: ${JSON.stringify(await this.tickets())}`);
      if (waitedMs > SWEEP_AFTER_MS && this.engine.name === 'sqlserver') await this.sweep();
      await sleep(20);
    }
  }

  /** What happens every minute. A server that does not lock what is read parks a row for nothing now and then. */
  private async sweep(): Promise<void> {
    for (const lane of TICKET_LANES) await new LaneStore(lane, this.engine.uow).adopt();
  }
}

export function phaseOf({ body }: Received): number {
  return (JSON.parse(body) as { phaseCode: number }).phaseCode;
}
