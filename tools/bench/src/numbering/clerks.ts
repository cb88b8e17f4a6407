import { Pool } from 'undici';
import { requestFor } from './request.ts';

/** Callers of the service, each on a connection of their own that stays open. */
export class Clerks {
  private readonly pool: Pool;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    url: string,
    accessToken: string,
    private readonly documentTypeId: string,
    connections: number,
  ) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
    this.headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
  }

  async take(): Promise<number> {
    const { documentTypeId, description, requestKey } = requestFor(this.documentTypeId);
    const answer = await this.pool.request({
      method: 'POST',
      path: '/api/numbers',
      headers: { ...this.headers, 'idempotency-key': requestKey },
      body: JSON.stringify({ documentTypeId, ...description }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`Answered ${answer.statusCode}: ${text}`);
    return (JSON.parse(text) as { number: number }).number;
  }

  leave(): Promise<void> {
    return this.pool.close();
  }
}
