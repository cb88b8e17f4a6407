import { startTestService, type TestService } from '@malote/service-kit/testing';
import { type CounterpartyApiConfig } from '../counterparty-api.config.ts';
import { type CounterpartyResponse } from '../counterparties/counterparty-response.dto.ts';
import { service as definition } from '../service.ts';

const PATH = '/api/counterparties';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A running service and a partner who may do everything with it. */
export class CounterpartyClient {
  private constructor(
    readonly service: TestService<CounterpartyApiConfig>,
    private readonly token: string,
  ) {}

  static async start(databaseUrl?: string): Promise<CounterpartyClient> {
    const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    const service = await startTestService(definition, { env });
    const scope = 'counterparties:read counterparties:write';
    return new CounterpartyClient(service, await service.token({ scope }));
  }

  /** A string is sent as it is. */
  async post(body: unknown): Promise<Answer> {
    const { token } = this;
    const response = await this.service.fetch(PATH, {
      method: 'POST',
      token,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    return answerOf(response);
  }

  async get(query: Readonly<Record<string, string>>): Promise<Answer> {
    const search = new URLSearchParams(query);
    return answerOf(await this.service.fetch(`${PATH}?${search.toString()}`, { token: this.token }));
  }

  /** Follows the cursors to the end. */
  async list(
    query: Readonly<Record<string, string>>,
    betweenPages: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<CounterpartyResponse[]> {
    const items: CounterpartyResponse[] = [];
    let cursor: string | undefined;
    do {
      const { status, body } = await this.get(cursor === undefined ? query : { ...query, cursor });
      if (status !== 200) throw new Error(`The list was answered with ${status}`);
      const page = body as { items: CounterpartyResponse[]; next?: string };
      items.push(...page.items);
      cursor = page.next;
      if (cursor !== undefined) await betweenPages();
    } while (cursor !== undefined);
    return items;
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
