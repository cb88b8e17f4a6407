import { classifyStatus } from './classify-status.ts';
import type { Fault } from './fault.ts';
import { describeError, findNetworkFault } from './find-network-fault.ts';
import type { Outcome } from './outcome.ts';

/** Says of one attempt what it means, without saying what to do about it: that is `decide`. */
export function classify(fault: Fault, now: Date): Outcome<never> {
  return fault.kind === 'response'
    ? classifyStatus(fault.status, fault.retryAfter, now)
    : classifyError(fault);
}

function classifyError({ error, requestSent }: Extract<Fault, { kind: 'error' }>): Outcome<never> {
  const network = findNetworkFault(error);
  if (network === undefined) {
    // A bug of ours fails the same way next time: it must surface, not hide among the time-outs.
    const processed = requestSent === false ? 'no' : 'maybe';
    return { kind: 'failed', blame: 'message', reason: describeError(error), final: true, processed };
  }
  const { blame, reason } = network;
  const sent = requestSent === 'unknown' ? network.phase === 'exchanging' : requestSent;
  return sent
    ? { kind: 'unknown', blame, reason }
    : { kind: 'failed', blame, reason, final: false, processed: 'no' };
}
