import { Pool } from 'undici';

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly bodies: readonly string[];
}

/** Posts every body once, each connection one after the other; returns how long each answer took, in milliseconds. */
export async function postAll({ url, token, connections, bodies }: Load): Promise<number[]> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const queue = bodies.values();
  const latencies: number[] = [];
  const client = async () => {
    for (const body of queue) {
      const began = performance.now();
      const answer = await pool.request({ method: 'POST', path: '/api/tickets', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode}: ${text}`);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await pool.close();
  return latencies;
}
