import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface TicketApi {
  readonly url: string;
  readonly token: string;
}

export interface Load extends TicketApi {
  readonly connections: number;
  readonly bodies: readonly string[];
  /** As fast as answers come when left out. */
  readonly perSecond?: number;
}

/** In milliseconds of `performance.now()`. */
export interface Posted {
  /** When it was to be posted; at a given rate that may be long before a connection is free for it. */
  readonly dueAt: number;
  readonly answeredAt: number;
}

/** Posts every body once, each connection one after the other. */
export async function postAll(load: Load): Promise<Posted[]> {
  const { url, token, connections, bodies, perSecond } = load;
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const began = performance.now();
  const queue = bodies.entries();
  const posted: Posted[] = [];
  const client = async () => {
    for (const [n, body] of queue) {
      const dueAt = perSecond === undefined ? performance.now() : began + (n * 1000) / perSecond;
      const leftMs = dueAt - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      const answer = await pool.request({ method: 'POST', path: '/api/tickets', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode}: ${text}`);
      posted[n] = { dueAt, answeredAt: performance.now() };
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await pool.close();
  return posted;
}
