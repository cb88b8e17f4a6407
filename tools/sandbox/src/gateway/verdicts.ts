import { problem } from '../answer.ts';
import { type Verdict } from '../faults/serve.ts';

const REFUSALS = {
  'bad-signature': [401, 'The signature is missing, wrong or too old'],
  'no-idempotency-key': [400, 'Idempotency-Key is missing or malformed'],
  'no-json-object': [422, 'The body is no JSON object'],
  'missing-fields': [
    422,
    'businessDocId is missing; tickets and returns need businessEntity and phaseCode 15 or 6',
  ],
  'key-reused': [422, 'This Idempotency-Key was used for another message'],
  'sent-under-another-key': [422, 'This document was sent before, under another Idempotency-Key'],
  'phase-15-missing': [422, 'Phase 6 came before phase 15'],
} as const;

export function accepted(receiptId: string): Verdict {
  return { decision: 'accepted', receiptId, answer: { status: 202, body: { receiptId } } };
}

export function duplicate(receiptId: string): Verdict {
  const answer = problem(409, 'already-processed', `already processed: ${receiptId}`);
  return { decision: 'duplicate', receiptId, answer };
}

export function refused(reason: keyof typeof REFUSALS): Verdict {
  const [status, detail] = REFUSALS[reason];
  return { decision: 'refused', reason, answer: problem(status, reason, detail) };
}
