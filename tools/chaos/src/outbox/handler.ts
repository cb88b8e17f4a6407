import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Exchanged,
  type HttpAnswer,
  type HttpDelivery,
  judgeDelivery,
  WebhookDelivery,
} from '@malote/http-delivery';
import { type LaneHandler, type LaneMessage, type Lease } from '@malote/lanes';
import { type Answer, type Outcome } from '@malote/retry-policy';
import { SECRET } from './message.ts';
import { recordSettled } from './settled.entity.ts';
import { stormLane } from './storm-lane.ts';

/** Real messages are signed or rendered before they leave: time in which a worker may be frozen, or told to stop. */
const PREPARATION_MS = 60;

export function ordinaryHandler(http: HttpDelivery): LaneHandler {
  const webhooks = new WebhookDelivery(http);
  return {
    lane: stormLane(false).lane,
    deliver: async (message, lease) => withReceipt(await post(webhooks, message, lease)),
    onSettled: recordSettled,
  };
}

/** `beforeSend` is called when a message is ready, with nothing between it and the wire but the lease. */
export function askableHandler(
  http: HttpDelivery,
  beforeSend: (messageKey: string) => Promise<void>,
): LaneHandler {
  const webhooks = new WebhookDelivery(http);
  return {
    lane: stormLane(true).lane,
    deliver: async (message, lease) => {
      await sleep(Math.random() * PREPARATION_MS);
      await beforeSend(message.messageKey);
      return withReceipt(await post(webhooks, message, lease));
    },
    ask: async (message, lease) => {
      await sleep(Math.random() * PREPARATION_MS);
      const url = `${message.target}/${encodeURIComponent(message.messageKey)}`;
      return http.send<Answer>({ method: 'GET', url }, lease, { judge: judgeAnswer });
    },
    onSettled: recordSettled,
  };
}

function post(webhooks: WebhookDelivery, message: LaneMessage, lease: Lease): Promise<Outcome<HttpAnswer>> {
  const { messageKey, traceParent, target: url } = message;
  const webhook = { messageKey, traceParent, url, body: String(message.row.PayloadJson), secrets: [SECRET] };
  return webhooks.post(webhook, lease, { judge: judgePost });
}

/** The sink refuses with 422 what it takes the next time. */
function judgePost(exchanged: Exchanged, now: Date): Outcome<HttpAnswer> {
  if (exchanged.kind !== 'answer' || exchanged.answer.status !== 422) return judgeDelivery(exchanged, now);
  const reason = 'HTTP 422: not now';
  return { kind: 'failed', blame: 'message', reason, final: false, processed: 'no', answered: true };
}

function judgeAnswer(exchanged: Exchanged, now: Date): Answer {
  if (exchanged.kind === 'answer' && exchanged.answer.status === 404) {
    return { kind: 'absent', reason: 'HTTP 404: never heard of it' };
  }
  return withReceipt(judgeDelivery(exchanged, now));
}

/** A receipt that did not arrive whole is asked for, or, where nobody can be asked, sent for again. */
function withReceipt(outcome: Outcome<HttpAnswer>): Outcome<string> {
  if (outcome.kind !== 'delivered') return outcome;
  const { receipt: answer } = outcome;
  if (!answer || answer.isCut) {
    return { kind: 'unknown', blame: 'either', reason: 'the answer broke off in its receipt' };
  }
  return { kind: 'delivered', receipt: answer.body.toString() };
}
