import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AddressGuard } from './address-guard.ts';
import { Connections } from './connections.ts';
import { exchange } from './http-exchange.ts';
import { Sink } from './testing/index.ts';

const permit = { signal: new AbortController().signal, mayLeave: () => true };

describe('connections to more targets than are kept', () => {
  let sinks: Sink[];
  let connections: Connections;

  beforeEach(async () => {
    sinks = await Promise.all(Array.from({ length: 5 }, () => new Sink().open()));
    connections = new Connections(new AddressGuard(['127.0.0.1']), 1_000, 1);
  });

  afterEach(async () => {
    await connections.close();
    await Promise.all(sinks.map((sink) => sink.close()));
  });

  const get = (sink: Sink) =>
    exchange(connections.poolTo(new URL(sink.url()).origin), { method: 'GET', path: '/' }, permit, {
      timeoutMs: 2_000,
      maxBodyBytes: 100,
    });

  it('are closed, but not before what is under way has ended', async () => {
    const [slow, ...others] = sinks;
    if (!slow) throw new Error('no sink');
    const origin = new URL(slow.url()).origin;
    slow.answer = (_request, response) => setTimeout(() => response.writeHead(200).end('at last'), 200);
    const delivery = get(slow);
    const pool = connections.poolTo(origin);
    await sleep(50);

    for (const sink of others) expect(await get(sink)).toMatchObject({ kind: 'answer' });
    expect(pool.closed).toBe(true);
    expect(await delivery).toMatchObject({ answer: { status: 200, body: Buffer.from('at last') } });
    expect(connections.poolTo(origin)).not.toBe(pool);
    expect(await get(slow)).toMatchObject({ kind: 'answer' });
  });

  it('are kept where they are in use all the time', async () => {
    const [busy, ...others] = sinks;
    if (!busy) throw new Error('no sink');
    const pool = connections.poolTo(new URL(busy.url()).origin);
    for (const sink of others) {
      await get(busy);
      await get(sink);
    }
    expect(pool.closed).toBe(false);
  });
});
