import { type ChaosReport } from '../chaos.ts';
import { type Crew } from './crew.ts';
import { type LedgerEntry } from './gateway.ts';
import { broken, type Judgement } from './judge.ts';
import { type TicketsChaosOptions } from './options.ts';
import { type Partner } from './partner.ts';
import { settleSeconds } from './settle-times.ts';
import { type Left } from './storm.ts';

export interface Performance {
  readonly options: TicketsChaosOptions;
  readonly judgement: Judgement;
  readonly ledger: readonly LedgerEntry[];
  readonly partner: Partner;
  readonly crew: Crew;
  /** Undefined when the run had to be ended. */
  readonly played: (Left & { readonly settledSeconds: number }) | undefined;
  /** Those who did not stop when they were told to. */
  readonly stragglers: readonly string[];
  readonly seconds: number;
}

const EXAMPLES = 5;
/** From the end of the storm to the last callback: a row that rests for longer in calm weather was forgotten. */
const CALM_LIMIT_SECONDS = 90;

export function reportOf(performance: Performance): ChaosReport {
  const { options, judgement, ledger, partner, crew, played, stragglers, seconds } = performance;
  const posted = new Set(partner.receipts.map(({ ticket }) => ticket));
  const callbacks = ledger.filter(({ kind }) => kind === 'callback');
  const cases = Object.entries(judgement) as [string, readonly string[] | null][];
  const examples = cases.flatMap(([, lines]) => (lines ?? []).slice(0, EXAMPLES));
  const troubles = [partner.refusals, crew.crashes, stragglers].flatMap((some) => some.slice(0, EXAMPLES));
  return {
    chaos: 'tickets',
    seed: options.seed,
    ok:
      played !== undefined &&
      played.settledSeconds <= CALM_LIMIT_SECONDS &&
      stragglers.length === 0 &&
      partner.refusals.length === 0 &&
      crew.crashes.length === 0 &&
      !broken(judgement),
    tickets: posted.size,
    kills: crew.kills,
    stops: crew.stops,
    ...Object.fromEntries(cases.map(([promise, lines]) => [promise, lines?.length ?? null])),
    refusedPosts: partner.refusals.length,
    crashes: crew.crashes.length,
    repeats: ledger.filter(({ decision }) => decision === 'duplicate').length,
    postsRepeated: partner.receipts.length - posted.size,
    postsRetried: partner.retries,
    abandoned: played?.abandoned ?? null,
    withheld: played?.withheld ?? null,
    faults: countBy(ledger, ({ fault }) => fault),
    callbacks: callbacks.length,
    callbacksReordered: callbacks.filter((entry, n) => isOutOfTurn(entry, callbacks[n - 1])).length,
    finished: played !== undefined,
    stragglers: stragglers.length,
    settledSeconds: played?.settledSeconds ?? null,
    settledLimitSeconds: CALM_LIMIT_SECONDS,
    slowestSeconds: Math.round(Math.max(0, ...settleSeconds(partner.receipts, ledger).values())),
    slowestLimitSeconds: options.settleLimitSeconds,
    seconds,
    ...(examples.length > 0 && { examples }),
    ...(troubles.length > 0 && { troubles }),
  };
}

/** The ledger has the callbacks of a ticket one after the other, as the gateway means to send them. */
function isOutOfTurn({ callback, idempotencyKey }: LedgerEntry, before: LedgerEntry | undefined): boolean {
  const isSameTicket = idempotencyKey === before?.idempotencyKey;
  return isSameTicket && callback?.status === 'Received' && before?.callback?.status !== 'Received';
}

function countBy(
  entries: readonly LedgerEntry[],
  of: (entry: LedgerEntry) => string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const name = of(entry);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
