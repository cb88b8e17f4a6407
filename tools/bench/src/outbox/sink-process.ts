import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { answerParent, settingsText } from '@malote/child-process';
import { type SinkCount, type SinkQuestion, type SinkSettings } from './sink.ts';

const { delayMs } = JSON.parse(settingsText()) as SinkSettings;

let requests = 0;
let bytes = 0;
let arrivals: SinkCount['arrivals'] = [];

const server = createServer((request, response) => {
  requests += 1;
  arrivals.push([String(request.headers['idempotency-key']), Number(process.hrtime.bigint()) / 1e6]);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const answer = () => {
    response.statusCode = 204;
    response.end();
  };
  request.on('end', () => {
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
// The partners have addresses of their own, all of them this machine's.
server.listen(0, '0.0.0.0', 4_096);
await once(server, 'listening');

answerParent((server.address() as AddressInfo).port, (question) => {
  const { wantsArrivals } = question as SinkQuestion;
  const count: SinkCount = { requests, bytes, arrivals: wantsArrivals ? arrivals : [] };
  requests = 0;
  bytes = 0;
  arrivals = [];
  return count;
});
