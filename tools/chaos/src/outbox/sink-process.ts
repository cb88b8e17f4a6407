import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent, settingsText } from '@malote/child-process';
import { Webhook } from 'standardwebhooks';
import { type Acceptance } from './judge.ts';
import { ACCEPT, fateOf, OUTAGE } from './fate.ts';
import { digestOf, SECRET } from './message.ts';
import { type SinkQuestion, type SinkSettings, type SinkState } from './sink.ts';

/** Every so many accepted requests one signature is verified. */
const SAMPLE = 20;

const { seed, stallMs } = JSON.parse(settingsText()) as SinkSettings;
const webhook = new Webhook(SECRET);
const ledger: Acceptance[] = [];
const arrivals = new Map<string, number>();
const accepted = new Set<string>();
const faults: Record<string, number> = {};
let verified = 0;
let badSignatures = 0;
let weather: SinkQuestion['weather'] = 'storm';

const server = createServer((request, response) => {
  // A worker that was killed resets its connections.
  void serve(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = Number(process.hrtime.bigint()) / 1e6;
  const key = String(request.headers['idempotency-key']);
  const body = await text(request);
  const arrival = (arrivals.get(key) ?? 0) + 1;
  arrivals.set(key, arrival);
  const fate = weather === 'storm' ? fateOf(seed, key, arrival) : weather === 'outage' ? OUTAGE : ACCEPT;
  if (fate.name !== 'accept') faults[fate.name] = (faults[fate.name] ?? 0) + 1;
  if (weather === 'slow') await sleep(stallMs / 2);
  if (fate.stalls) await sleep(stallMs);
  if (fate.accepts) accept({ key, digest: digestOf(body), arrivedAt }, request, body);
  if (fate.resets) {
    request.socket.resetAndDestroy();
    return;
  }
  response.writeHead(fate.status, fate.retryAfter === undefined ? {} : { 'retry-after': fate.retryAfter });
  response.end();
}

function accept(acceptance: Acceptance, request: IncomingMessage, body: string): void {
  ledger.push(acceptance);
  accepted.add(acceptance.key);
  if (ledger.length % SAMPLE !== 1) return;
  verified += 1;
  try {
    webhook.verify(body, request.headers as Record<string, string>);
  } catch {
    badSignatures += 1;
  }
}

answerParent((server.address() as AddressInfo).port, (asked): SinkState => {
  const question = asked as SinkQuestion;
  weather = question.weather;
  return {
    accepted: accepted.size,
    faults,
    verified,
    badSignatures,
    ledger: question.wantsLedger ? ledger : [],
  };
});
