import type { Classification, Fault } from './classification.ts';
import { classifyStatus } from './classify-status.ts';
import { describeError, findNetworkFault } from './find-network-fault.ts';

/** Says of one attempt what it means, without saying what to do about it: that is `decide`. */
export function classify(fault: Fault): Classification {
  return fault.kind === 'response' ? classifyStatus(fault.status, fault.retryAfter) : classifyError(fault);
}

function classifyError({ error, requestSent }: Extract<Fault, { kind: 'error' }>): Classification {
  const network = findNetworkFault(error);
  if (network === undefined) {
    // A bug of ours fails the same way next time: it must surface, not hide among the time-outs.
    const processed = requestSent === false ? 'no' : 'maybe';
    return { kind: 'final', blame: 'message', processed, reason: describeError(error) };
  }
  const { blame, reason } = network;
  const sent = requestSent === 'unknown' ? network.phase === 'exchanging' : requestSent;
  return sent ? { kind: 'unknown', blame, reason } : { kind: 'retry', blame, processed: 'no', reason };
}
