import { saoPauloYear } from '@malote/brazil';
import { CHAIN_START, formatNumber, hashOf, type SealedEntry } from './log-entry.ts';
import { searchTextOf } from './search-text.ts';

export const BREAK_KINDS = [
  'entry-missing',
  'entry-altered',
  'entry-unknown',
  'chain-broken',
  'number-missing',
  'number-repeated',
  'adjusted-back',
  'number-unknown',
  'annulled-twice',
  'wrong-year',
  'end-missing',
  'sequence-altered',
  'sequence-missing',
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** The first thing about a sequence that is not as it should be. */
export interface Break {
  readonly kind: BreakKind;
  readonly position: number;
  readonly formattedNumber: string;
}

/** Numbers that were never given out because an admin moved the sequence past them. */
export interface Skipped {
  readonly from: number;
  readonly to: number;
}

export interface SequenceEnd {
  readonly lastNumber: number;
  readonly lastPosition: number;
  readonly lastHash: string;
}

/** What the register is searched by follows from the rest, and must still do so. */
export interface CheckedEntry extends SealedEntry {
  readonly searchText: string;
}

/** Follows the log of one sequence from its beginning and stops believing it at the first break. */
export class ChainCheck {
  entries = 0;
  lastNumber = 0;
  lastHash = CHAIN_START;
  firstBreak: Break | undefined;
  readonly skipped: Skipped[] = [];
  private readonly annulled = new Set<number>();

  constructor(private readonly year: number) {}

  get annulledCount(): number {
    return this.annulled.size;
  }

  add(entry: CheckedEntry): void {
    if (this.firstBreak) return;
    const kind = this.linkBreak(entry) ?? this.numberBreak(entry);
    if (kind) this.breakAt(kind, entry.position, entry.number);
    this.entries += 1;
    this.lastHash = entry.hash;
    if (entry.kind === 'annulled') this.annulled.add(entry.number);
    else if (entry.kind !== 'amended') this.lastNumber = entry.number;
  }

  /** Positions that lie outside of the sequence: somebody put them there, or turned the sequence back. */
  addOutside(position: number): void {
    if (!this.firstBreak) this.breakAt('entry-unknown', position, this.lastNumber);
  }

  /** The row of the sequence must tell the same end; an end that was cut off shows nowhere else. */
  end(sequence: SequenceEnd | undefined): void {
    if (this.firstBreak) return;
    if (!sequence) this.breakAt('sequence-missing', this.entries, this.lastNumber);
    else if (sequence.lastPosition > this.entries) {
      this.breakAt('end-missing', this.entries + 1, this.lastNumber + 1);
    } else if (sequence.lastNumber !== this.lastNumber || sequence.lastHash !== this.lastHash) {
      this.breakAt('sequence-altered', sequence.lastPosition, sequence.lastNumber);
    }
  }

  private breakAt(kind: BreakKind, position: number, number: number): void {
    this.firstBreak = { kind, position, formattedNumber: formatNumber(number, this.year) };
  }

  private linkBreak(entry: CheckedEntry): BreakKind | undefined {
    if (entry.position !== this.entries + 1) return 'entry-missing';
    if (entry.previousHash !== this.lastHash) return 'chain-broken';
    const isUnaltered = hashOf(entry) === entry.hash && searchTextOf(entry) === entry.searchText;
    return isUnaltered ? undefined : 'entry-altered';
  }

  private numberBreak({ kind, number, generatedAt }: SealedEntry): BreakKind | undefined {
    switch (kind) {
      case 'generated':
        if (number <= this.lastNumber) return 'number-repeated';
        if (number > this.lastNumber + 1) return 'number-missing';
        return saoPauloYear(generatedAt) === this.year ? undefined : 'wrong-year';
      case 'adjusted':
        if (number <= this.lastNumber) return 'adjusted-back';
        this.skipped.push({ from: this.lastNumber + 1, to: number });
        return undefined;
      case 'annulled':
        if (this.annulled.has(number)) return 'annulled-twice';
        return this.isTaken(number) ? undefined : 'number-unknown';
      case 'amended':
        return this.isTaken(number) && !this.annulled.has(number) ? undefined : 'number-unknown';
    }
  }

  private isTaken(number: number): boolean {
    return number <= this.lastNumber && !this.isSkipped(number);
  }

  private isSkipped(number: number): boolean {
    return this.skipped.some(({ from, to }) => number >= from && number <= to);
  }
}
