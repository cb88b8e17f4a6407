import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent, settingsText } from '@malote/child-process';
import { Webhook } from 'standardwebhooks';
import { type Acceptance } from './judge.ts';
import { ACCEPT, type Fate, fateOf, fateOfQuestion, GONE, hidesAcceptance, OUTAGE } from './fate.ts';
import { digestOf, SECRET } from './message.ts';
import { type SinkQuestion, type SinkSettings, type SinkState } from './sink.ts';

/** Every so many accepted requests one signature is verified. */
const SAMPLE = 20;
const EXAMPLES = 3;

const settings = JSON.parse(settingsText()) as SinkSettings;
const webhook = new Webhook(SECRET);
const ledger: Acceptance[] = [];
/** The receipt given for each message at first; a second delivery gets another one and shows. */
const receipts = new Map<string, string>();
const arrivals = new Map<string, number>();
const faults: Record<string, number> = {};
const stories = new Map<string, string[]>();
let acceptedThenFailed = 0;
let asked = 0;
let verified = 0;
let badSignatures = 0;
let weather: SinkQuestion['weather'] = 'storm';

const server = createServer((request, response) => {
  const serve = request.method === 'GET' ? answerQuestion : takeDelivery;
  // A worker that was killed resets its connections.
  void serve(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function takeDelivery(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = performance.now();
  const key = String(request.headers['idempotency-key']);
  const body = await text(request);
  const fate = meet(`delivery ${key}`, (arrival) => fateOf(settings, key, arrival));
  note(key, `delivery: ${fate.name}`);
  const receipt = `receipt ${ledger.length + 1} for ${key}`;
  const take = () => {
    accept({ key, digest: digestOf(body), receipt }, request, body);
  };
  if (weather === 'slow') await sleep(settings.stallMs / 2);
  if (fate.accepts === 'at once') take();
  if (fate.stalls) await sleep(settings.stallMs);
  if (fate.accepts === 'late') take();
  const tooLate = performance.now() - arrivedAt >= settings.patienceMs;
  if (fate.accepts !== 'never' && (hidesAcceptance(fate) || tooLate)) acceptedThenFailed += 1;
  answer(response, fate, fate.answer === 200 ? receipt : 'no');
}

async function answerQuestion(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked += 1;
  const key = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  const fate = meet(`question ${key}`, (arrival) => fateOfQuestion(settings, key, arrival));
  if (fate.stalls) await sleep(settings.stallMs);
  const receipt = receipts.get(key);
  note(key, `question: ${fate.name}, ${receipt ?? 'absent'}`);
  const isHonest = fate.answer === 200 || fate.answer === 'half';
  const status = receipt === undefined ? 404 : 200;
  if (isHonest) answer(response, fate, receipt ?? 'never heard of it', status);
  else answer(response, fate, 'no');
}

/** What befalls this request in the present weather. */
function meet(thing: string, fateAt: (arrival: number) => Fate): Fate {
  const arrival = (arrivals.get(thing) ?? 0) + 1;
  arrivals.set(thing, arrival);
  const outage = settings.isAskable ? GONE : OUTAGE;
  const fate = weather === 'storm' ? fateAt(arrival) : weather === 'outage' ? outage : ACCEPT;
  if (fate.name !== ACCEPT.name) faults[fate.name] = (faults[fate.name] ?? 0) + 1;
  return fate;
}

function answer(response: ServerResponse, fate: Fate, body: string, status = 200): void {
  switch (fate.answer) {
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    case 'half':
      response.writeHead(status, { 'content-length': body.length });
      response.write(body.slice(0, body.length / 2), () => response.destroy());
      return;
    default: {
      const wait = fate.retryAfter === undefined ? {} : { 'retry-after': fate.retryAfter };
      response.writeHead(fate.answer === 200 ? status : fate.answer, wait);
      response.end(body);
    }
  }
}

function accept(acceptance: Acceptance, request: IncomingMessage, body: string): void {
  ledger.push(acceptance);
  note(acceptance.key, acceptance.receipt);
  if (!receipts.has(acceptance.key)) receipts.set(acceptance.key, acceptance.receipt);
  if (ledger.length % SAMPLE !== 1) return;
  verified += 1;
  try {
    webhook.verify(body, request.headers as Record<string, string>);
  } catch {
    badSignatures += 1;
  }
}

function note(key: string, event: string): void {
  const story = stories.get(key) ?? [];
  stories.set(key, story);
  story.push(`${Math.round(performance.now())} ms ${event}`);
}

/** What led to second deliveries, to begin the search for a cause with. */
function repeated(): string[] {
  const keys = new Set<string>();
  const twice = ledger.filter(({ key }) => keys.size === keys.add(key).size).map(({ key }) => key);
  return twice.slice(0, EXAMPLES).map((key) => `${key}: ${stories.get(key)?.join('; ') ?? ''}`);
}

answerParent((server.address() as AddressInfo).port, (question): SinkState => {
  const { weather: turned, wantsLedger } = question as SinkQuestion;
  weather = turned;
  return {
    faults,
    acceptedThenFailed,
    asked,
    verified,
    badSignatures,
    ledger: wantsLedger ? ledger : [],
    repeated: wantsLedger ? repeated() : [],
  };
});
