/** What a process may have in hand over all its lanes and targets. */
export interface BudgetLimits {
  readonly rows: number;
  readonly bytes: number;
}

export const BUDGET_DEFAULTS: BudgetLimits = { rows: 2_000, bytes: 64 * 1024 * 1024 };

/** A row that is so large that no two fit must still be delivered. */
const LEAST_ROWS = 1;
/** Before anything was claimed nobody knows how large rows are: the first claim brings few of them. */
const FIRST_GUESS_BYTES = 1024 * 1024;
/** A target may have one row in hand for so many that are free. */
const FREE_PER_ROW = 8;
/** How much of what large rows have taught is remembered from row to row: about a hundred later they are half as large. */
const MEMORY = 0.993;

/**
 * Rows and bytes in hand, of all lanes of a process: five hundred partners who come back after an outage must not become
 * fifty thousand payloads in memory. Who may end the process is tried alone: nothing else is in hand meanwhile.
 */
export class Budget {
  private rows = 0;
  private bytes = 0;
  /** Rows the claims under way may still bring. */
  private reserved = 0;
  /** Of a row that is not in hand yet: as large as the large ones of late, since a claim may bring nothing else. */
  private expectedBytes = FIRST_GUESS_BYTES;
  /** Deliveries under way. */
  private active = 0;
  private loner: ((isAlone: boolean) => void) | undefined;
  private isOneAlone = false;
  /** Somebody waits to be told that so many rows are free. */
  private awaited = Infinity;
  private readonly roomListeners = new Set<() => void>();
  private readonly lonerListeners = new Set<() => void>();

  constructor(private readonly limits: BudgetLimits = BUDGET_DEFAULTS) {}

  get inHand(): BudgetLimits {
    return { rows: this.rows, bytes: this.bytes };
  }

  onRoom(listener: () => void): void {
    this.roomListeners.add(listener);
  }

  /** Somebody wants to be alone: nothing shall begin, and what has not begun be handed back. */
  onLoner(listener: () => void): void {
    this.lonerListeners.add(listener);
  }

  /** How many rows may be claimed now, of those wanted; what is granted is given back with `claimed`. */
  reserve(wanted: number): number {
    const granted = this.hasLoner ? 0 : Math.min(wanted, this.free);
    if (granted === 0 && wanted > 0) this.awaitRoom(1);
    this.reserved += granted;
    return granted;
  }

  /**
   * How many rows each of so many targets may claim now, of which none has more than `inHand`. In the end each holds at most an eighth
   * of what stays free: however slow those are who came first, whoever comes next finds room.
   */
  share(targets: number, inHand: number): number {
    return Math.max(0, Math.floor((this.free - inHand * FREE_PER_ROW) / (targets + FREE_PER_ROW)));
  }

  /** Asks to be told, once, when so many targets of which each has so much in hand can have one more row each. */
  awaitShare(targets: number, inHand: number): void {
    this.awaitRoom(inHand === 0 ? 1 : targets + FREE_PER_ROW * (inHand + 1));
  }

  private awaitRoom(rows: number): void {
    this.awaited = Math.min(this.awaited, rows, this.limits.rows);
  }

  /** Rows there is room for. */
  get free(): number {
    const inHand = this.rows + this.reserved;
    const byBytes = Math.floor((this.limits.bytes - this.bytes) / this.expectedBytes) - this.reserved;
    return Math.max(inHand === 0 ? LEAST_ROWS : 0, Math.min(this.limits.rows - inHand, byBytes));
  }

  /** What became of a reservation. */
  claimed(granted: number, sizes: readonly number[]): void {
    this.reserved -= granted;
    for (const size of sizes) {
      this.rows += 1;
      this.bytes += size;
      this.expectedBytes = Math.max(size, this.expectedBytes * MEMORY);
    }
    this.letLonerBegin();
    this.tellOfRoom();
  }

  released(size: number): void {
    this.rows -= 1;
    this.bytes -= size;
    this.tellOfRoom();
  }

  begun(): void {
    this.active += 1;
  }

  ended(): void {
    this.active -= 1;
    this.letLonerBegin();
  }

  /** Somebody is alone, or waits to be. */
  get hasLoner(): boolean {
    return this.isOneAlone || this.loner !== undefined;
  }

  /** For one at a time. True once no delivery is under way; nothing is claimed until `leaveAlone`. False: it was sent away. */
  becomeAlone(): Promise<boolean> {
    return new Promise((resolve) => {
      this.loner = resolve;
      for (const listener of this.lonerListeners) listener();
      this.letLonerBegin();
    });
  }

  sendLonerAway(): void {
    this.loner?.(false);
    this.loner = undefined;
  }

  leaveAlone(): void {
    this.isOneAlone = false;
    for (const listener of this.roomListeners) listener();
  }

  private tellOfRoom(): void {
    if (this.hasLoner || this.free < this.awaited) return;
    this.awaited = Infinity;
    for (const listener of this.roomListeners) listener();
  }

  private letLonerBegin(): void {
    if (!this.loner || this.active > 0 || this.reserved > 0) return;
    this.isOneAlone = true;
    this.loner(true);
    this.loner = undefined;
  }
}
