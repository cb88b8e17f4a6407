import { DELIVERED, type Outcome } from './outcome.ts';
import { parseRetryAfter } from './retry-after.ts';

const RETRYABLE_REFUSALS = new Map<number, string>([
  [408, 'the target waited too long for the request'],
  [425, 'too early'],
  [429, 'too many requests'],
]);

/** 501 and 505 are here because every message goes out by one method and version: they tell of a broken target. */
const TARGET_AT_FAULT = new Set([429, 501, 502, 503, 504, 505]);

const REFUSALS = new Map<number, string>([
  [400, 'the payload is refused'],
  [401, 'the credentials are refused'],
  [403, 'the credentials or the certificate lack permission'],
  [404, 'the resource does not exist'],
  [405, 'the method is not allowed'],
  [406, 'no acceptable representation'],
  [410, 'the resource is gone for good'],
  [411, 'a content length is required'],
  [413, 'the payload is too large'],
  [414, 'the address is too long'],
  [415, 'the media type is not supported'],
  [422, 'the payload is refused'],
  [451, 'refused for legal reasons'],
]);

/** Idempotency specification, section 5.2: 5xx and 429 are retried, 409 is "already processed", other 4xx are final. */
export function classifyStatus(status: number, retryAfter: string | undefined, now: Date): Outcome<never> {
  if (status >= 200 && status < 300) return DELIVERED;
  if (status === 409) return { ...DELIVERED, alreadyProcessed: true };

  const blame = TARGET_AT_FAULT.has(status) ? 'target' : 'either';
  const askedMs = parseRetryAfter(retryAfter, now);
  const wait = askedMs === undefined ? {} : { retryAfterMs: askedMs };
  const busy = RETRYABLE_REFUSALS.get(status);
  if (busy !== undefined) {
    const reason = `HTTP ${status}: ${busy}`;
    return { kind: 'failed', blame, reason, final: false, processed: 'no', answered: true, ...wait };
  }
  if (status >= 300 && status < 400) {
    // Targets come from configuration; following a redirect would let the target choose who gets the message.
    // In some places it also means "done, see there".
    return { ...refused(status, 'redirects are not followed'), processed: 'maybe' };
  }
  if (status >= 400 && status < 500) return refused(status, REFUSALS.get(status) ?? 'refused');
  if (status >= 100 && status < 200) {
    return { kind: 'unknown', blame, reason: `HTTP ${status}: an interim answer and nothing after it` };
  }
  // RFC 9110, section 15: a status outside 100..599 is to be treated as a 5xx.
  // A gateway answers 502 or 504 for a server that may well have done the work.
  const reason = `HTTP ${status}: the target failed`;
  return { kind: 'failed', blame, reason, final: false, processed: 'maybe', ...wait };
}

function refused(status: number, why: string): Extract<Outcome<never>, { kind: 'failed' }> {
  const reason = `HTTP ${status}: ${why}`;
  return { kind: 'failed', blame: 'message', reason, final: true, processed: 'no', answered: true };
}
