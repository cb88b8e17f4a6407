import { varchar } from '@malote/persistence';
import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { sampleLane } from '../testing/index.ts';
import { Outbox } from './outbox.ts';

const message = { messageKey: 'm', targetUrl: 'https://a.example', payload: '{}' };

async function saidBy(more: { traceParent?: string; orderKey?: string }) {
  const recorder = new SqlRecorder([{ Id: '7' }]);
  await recorder.run((tx) => new Outbox().enqueue(tx, sampleLane, { ...message, ...more }));
  return recorder.said;
}

it('declares a trace as its column does, whether there is one or not', async () => {
  const traceParent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const [traced] = await saidBy({ traceParent });
  const [untraced] = await saidBy({});

  expect(traced?.parameters.TraceParent).toEqual(varchar(traceParent, 55));
  expect(untraced?.parameters.TraceParent).toEqual(varchar(null, 55));
  expect(untraced?.sql).toBe(traced?.sql);
});
