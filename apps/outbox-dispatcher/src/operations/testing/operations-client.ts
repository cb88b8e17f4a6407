import {
  CounterpartyAddressEntity,
  CounterpartyEntity,
  CounterpartyFiscalReferenceEntity,
} from '@malote/counterparties';
import { type Lane, LanesConfig, LanesModule } from '@malote/lanes';
import { SAMPLE_TABLES, sampleLane } from '@malote/lanes/testing';
import { PersistenceModule } from '@malote/persistence';
import { type ServiceDefinition } from '@malote/service-kit';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { TICKET_LANES } from '@malote/tickets';
import { TICKET_TABLES } from '@malote/tickets/testing';
import { Module } from '@nestjs/common';
import { TraceModule } from '../../trace/trace.module.ts';
import { OperationsModule } from '../operations.module.ts';

export const OPERATIONS_TABLES = {
  ...SAMPLE_TABLES,
  entities: [
    ...TICKET_TABLES,
    CounterpartyEntity,
    CounterpartyAddressEntity,
    CounterpartyFiscalReferenceEntity,
    ...SAMPLE_TABLES.entities,
  ],
};

@Module({})
class OperatedModule {}

/** Looks into the lanes and works none of them off. */
const definitionOf = (lanes: readonly Lane[]): ServiceDefinition<LanesConfig> => ({
  name: 'operated',
  description: 'Lanes and documents as people see them.',
  configClass: LanesConfig,
  module: (config) => ({
    module: OperatedModule,
    imports: [
      PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: OPERATIONS_TABLES.entities }),
      LanesModule.forRoot(config),
      OperationsModule.forLanes(lanes),
      TraceModule.forRetention(config.outboxRetentionDays),
    ],
  }),
});

export interface ClientOptions {
  readonly subject?: string;
  readonly lanes?: readonly Lane[];
}

export interface Answer<Body = Readonly<Record<string, unknown>>> {
  readonly status: number;
  readonly body: Body;
}

/** A running service and somebody who may do everything with it. */
export class OperationsClient {
  private constructor(
    readonly service: TestService<LanesConfig>,
    private readonly token: string,
  ) {}

  static async start(
    databaseUrl?: string,
    { subject = 'maria', lanes = [...TICKET_LANES, sampleLane] }: ClientOptions = {},
  ): Promise<OperationsClient> {
    const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    const service = await startTestService(definitionOf(lanes), { env });
    return new OperationsClient(service, await service.token({ subject, scope: 'ops:read ops:write' }));
  }

  async get<Body>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Answer<Body>> {
    const search = new URLSearchParams(query).toString();
    const { token } = this;
    return answerOf(await this.service.fetch(search === '' ? path : `${path}?${search}`, { token }));
  }

  async post<Body>(path: string, json: unknown): Promise<Answer<Body>> {
    return answerOf(await this.service.fetch(path, { method: 'POST', token: this.token, json }));
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  return { status: response.status, body: (await response.json()) as Body };
}
