import { createHmac } from 'node:crypto';
import { LANE_DEFAULTS } from '@malote/outbox';
import { Pool } from 'undici';
import { SECRET, TIMEOUT_MS } from './engine.ts';
import { lane, type LaneFile } from './lane-file.ts';

interface RawRow {
  readonly Id: number;
  readonly MessageKey: string;
  readonly PayloadJson: string;
}

const NOW = `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/** What a person would write for this one table and target, with nothing around it: the limit of the engine. */
export async function rawLoop(file: LaneFile, address: string): Promise<void> {
  const { batch, concurrency } = LANE_DEFAULTS;
  const connection = file.connect();
  const pool = new Pool(new URL(address).origin, { connections: concurrency, pipelining: 1 });
  const claim = connection.prepare(
    `UPDATE ${lane.table} SET Status = 'Sending', AttemptCount = AttemptCount + 1, LeaseOwner = @owner,
       LastAttemptAt = ${NOW}, NextAttemptAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '15 seconds')
     WHERE Id IN (SELECT Id FROM ${lane.table} WHERE TargetUrl = @target AND NextAttemptAt IS NOT NULL
       AND Status <> 'Sent' AND NextAttemptAt <= ${NOW} ORDER BY NextAttemptAt, Id LIMIT ${batch})
     RETURNING Id, MessageKey, PayloadJson`,
  );
  const settle = connection.prepare(
    `UPDATE ${lane.table} SET Status = 'Sent', SentAt = ${NOW}, LeaseOwner = NULL, NextAttemptAt = NULL
     WHERE Id = @id AND LeaseOwner = @owner`,
  );
  const settleAll = connection.transaction((rows: readonly RawRow[]) => {
    for (const { Id } of rows) settle.run({ id: Id, owner: 'raw' });
  });
  for (;;) {
    const rows = claim.all({ owner: 'raw', target: address }) as RawRow[];
    if (rows.length === 0) break;
    await inParallel(rows, concurrency, (row) => post(pool, new URL(address).pathname, row));
    settleAll(rows);
  }
  await pool.destroy();
  connection.close();
}

async function post(pool: Pool, path: string, { MessageKey: id, PayloadJson: body }: RawRow): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  if (answer.statusCode !== 204) throw new Error(`The sink answered ${answer.statusCode}`);
  await answer.body.dump();
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const hand = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, hand));
}
