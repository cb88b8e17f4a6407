import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyReply } from 'fastify';
import { give, statusOf, type WrittenAnswer } from '../answer.ts';
import { type Ledger, type LedgerEntry, type LedgerRecord } from '../ledger.ts';
import { type Luck } from './luck.ts';
import { answerInstead, faultAfterStoring, faultBeforeStoring, type WireFaults } from './wire-faults.ts';

/** A request on its way to a peer. */
export interface Visit {
  readonly faults: WireFaults;
  readonly luck: Luck;
  readonly ledger: Ledger;
  /** What the ledger says about it, whatever becomes of it. */
  readonly about: Omit<LedgerRecord, 'decision' | 'status'>;
  readonly reply: FastifyReply;
}

/** What a peer makes of a request. */
export interface Verdict {
  readonly decision: 'accepted' | 'duplicate' | 'refused';
  readonly reason?: string;
  readonly receiptId?: string;
  readonly answer: WrittenAnswer;
  /** What follows from accepting it, even when the answer is lost. */
  readonly afterwards?: (entry: LedgerEntry) => void;
}

/** Lets the peer judge a request and answers it, unless a fault comes before the one or the other. */
export async function serve(visit: Visit, judge: () => Verdict): Promise<FastifyReply> {
  const { faults, luck, ledger, about, reply } = visit;
  const early = faultBeforeStoring(faults, luck);
  if (early) {
    const answer = answerInstead(early, faults, luck);
    ledger.add({ ...about, decision: 'fault', fault: early, status: statusOf(answer) });
    return give(reply, answer);
  }
  const { answer, afterwards, ...judgement } = judge();
  const late = judgement.decision === 'accepted' ? faultAfterStoring(faults, luck) : undefined;
  if (late === 'acceptThenHang') {
    const entry = ledger.add({ ...about, ...judgement, fault: late, status: null });
    afterwards?.(entry);
    await wait(faults.hangMs);
    if (reply.raw.socket?.destroyed === false) entry.status = answer.status;
    return give(reply, answer);
  }
  const given = late ? answerInstead(late, faults, luck) : answer;
  const entry = ledger.add({ ...about, ...judgement, ...(late && { fault: late }), status: statusOf(given) });
  afterwards?.(entry);
  return give(reply, given);
}

/** Does not keep a process alive that is about to end. */
export async function wait(delayMs: number): Promise<void> {
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
}
