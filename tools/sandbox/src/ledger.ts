/** What a peer received or sent. Peers fill in what they know; bodies are not kept. */
export interface LedgerRecord {
  readonly peer: string;
  readonly kind: string;
  businessEntity?: string | undefined;
  businessDocId?: string | undefined;
  phaseCode?: number | undefined;
  idempotencyKey?: string | undefined;
  bodyDigest?: string | undefined;
  /** Which attempt of this key it was. */
  attempt?: number;
  decision: Decision;
  /** Why it was refused or given up. */
  reason?: string;
  /** The fault of the dial that struck. */
  fault?: string;
  /** What was answered; null when nothing was. Callbacks have none, but the answers they got. */
  status?: number | null;
  receiptId?: string;
  callback?: CallbackProgress;
}

export type Decision = 'accepted' | 'duplicate' | 'refused' | 'fault' | 'pending' | 'delivered' | 'given-up';

export interface CallbackProgress {
  readonly webhookId: string;
  readonly status: string;
  attempts: number;
  /** Status codes or network errors, the last few of them. */
  readonly answers: (number | string)[];
  settledAt?: string;
}

export interface LedgerEntry extends LedgerRecord {
  readonly sequence: number;
  readonly time: string;
}

export interface LedgerFilter {
  readonly peer?: string | undefined;
  readonly kind?: string | undefined;
  readonly businessDocId?: string | undefined;
  readonly after: number;
  readonly limit: number;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** What to pass as `after` for the entries that follow; null when there are none yet. */
  readonly next: number | null;
}

export interface KindSummary {
  readonly decisions: Record<string, number>;
  readonly reasons: Record<string, number>;
  readonly faults: Record<string, number>;
}

export type LedgerSummary = Record<string, Record<string, KindSummary>>;

/** Everything that happened, in order; sequence numbers count from 1 without gaps. */
export class Ledger {
  private entries: LedgerEntry[] = [];

  /** The entry stays its owner's: what becomes of it later is written into it. */
  add(record: LedgerRecord): LedgerEntry {
    const entry = { sequence: this.entries.length + 1, time: new Date().toISOString(), ...record };
    this.entries.push(entry);
    return entry;
  }

  page({ peer, kind, businessDocId, after, limit }: LedgerFilter): LedgerPage {
    const found: LedgerEntry[] = [];
    for (let index = after; index < this.entries.length; index++) {
      const entry = this.entries[index];
      if (!entry) break;
      if (peer !== undefined && entry.peer !== peer) continue;
      if (kind !== undefined && entry.kind !== kind) continue;
      if (businessDocId !== undefined && entry.businessDocId !== businessDocId) continue;
      if (found.length === limit) return { entries: found, next: found.at(-1)?.sequence ?? null };
      found.push(entry);
    }
    return { entries: found, next: null };
  }

  summary(): LedgerSummary {
    const peers: LedgerSummary = {};
    for (const { peer, kind, decision, reason, fault } of this.entries) {
      const kinds = (peers[peer] ??= {});
      const counts = (kinds[kind] ??= { decisions: {}, reasons: {}, faults: {} });
      count(counts.decisions, decision);
      if (reason !== undefined) count(counts.reasons, reason);
      if (fault !== undefined) count(counts.faults, fault);
    }
    return peers;
  }

  clear(): void {
    this.entries = [];
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
