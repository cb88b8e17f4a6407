import { classify, type Outcome, refusal } from '@malote/retry-policy';
import { ForbiddenAddress } from './address-guard.ts';
import { type Exchanged, type HttpAnswer } from './exchanged.ts';

const QUOTED_CHARS = 300;
/** As much of a body as the reason for a failure quotes, whatever its characters are. */
export const QUOTED_BYTES = 4 * QUOTED_CHARS;

/** What an exchange means where nothing is known of the target: the status decides, and a failure quotes the body. */
export function judgeDelivery(exchanged: Exchanged, now: Date): Outcome<HttpAnswer> {
  switch (exchanged.kind) {
    case 'answer':
      return judgeAnswer(exchanged.answer, now);
    case 'refused':
      return refusal(exchanged.reason);
    case 'fault': {
      const { error, requestSent } = exchanged;
      if (!(error instanceof ForbiddenAddress)) return classify({ kind: 'error', error, requestSent }, now);
      // What a name resolves to is the target's business and may change; no message dies of it.
      const reason = `${error.name}: ${error.message}`;
      return { kind: 'failed', blame: 'target', reason, final: false, processed: 'no' };
    }
  }
}

function judgeAnswer(answer: HttpAnswer, now: Date): Outcome<HttpAnswer> {
  const { status, headers, body } = answer;
  const outcome = classify({ kind: 'response', status, retryAfter: headers['retry-after'] }, now);
  if (outcome.kind === 'delivered') return { ...outcome, receipt: answer };
  const quoted = body.toString('utf8', 0, QUOTED_BYTES).slice(0, QUOTED_CHARS);
  return quoted ? { ...outcome, reason: `${outcome.reason}: ${quoted}` } : outcome;
}
