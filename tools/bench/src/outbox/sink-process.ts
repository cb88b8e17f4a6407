import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { answerParent } from '@malote/child-process';
import { type SinkCount, type SinkQuestion } from './sink.ts';

let requests = 0;
let bytes = 0;
let arrivals: SinkCount['arrivals'] = [];

const server = createServer((request, response) => {
  requests += 1;
  arrivals.push([String(request.headers['idempotency-key']), Number(process.hrtime.bigint()) / 1e6]);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.statusCode = 204;
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerParent((server.address() as AddressInfo).port, (question) => {
  const { wantsArrivals } = question as SinkQuestion;
  const count: SinkCount = { requests, bytes, arrivals: wantsArrivals ? arrivals : [] };
  requests = 0;
  bytes = 0;
  arrivals = [];
  return count;
});
