import { type HttpDelivery } from '@malote/http-delivery';
import { LANE_DEFAULTS } from '@malote/lanes';
import { poster } from './engine.ts';
import { type Connection, lane, type LaneFile, SQL_NOW } from './lane-file.ts';

/** Which rows a claim of the loop takes. */
export type RawClaim = 'one-target' | 'any-target' | 'in-order';

interface RawRow {
  readonly Id: number;
  readonly MessageKey: string;
  readonly TargetUrl: string;
  readonly PayloadJson: string;
}

const OWNER = 'raw';
const LEASE = '15 seconds';

/** Rows may only overtake those of other keys: the first unfinished one of each key is free. */
const IS_FIRST_OF_KEY = `AND NOT EXISTS (SELECT 1 FROM ${lane.table} AS w WHERE w.OrderKey IS NOT NULL
  AND w.Status <> 'Sent' AND w.DiscardedAt IS NULL AND w.OrderKey = t.OrderKey AND w.Id < t.Id)`;

const CONDITIONS: Readonly<Record<RawClaim, string>> = {
  'one-target': 'AND t.TargetUrl = @target',
  'any-target': '',
  'in-order': `AND t.TargetUrl = @target ${IS_FIRST_OF_KEY}`,
};

/**
 * What a person would write for this one table, with nothing around it: the limit of the engine. It claims while it posts, and
 * what is finished is written in one statement, in the same commit as the next claim.
 */
export class RawLoop {
  private readonly connection: Connection;
  private readonly claim;
  private readonly settle;
  private readonly post;
  private readonly ready: RawRow[] = [];
  private finished: number[] = [];
  private inFlight = 0;
  private isEmpty = false;
  private turn: NodeJS.Immediate | undefined;
  private end: () => void = () => undefined;

  constructor(
    file: LaneFile,
    http: HttpDelivery,
    claim: RawClaim,
    private readonly target: string,
  ) {
    this.post = poster(http);
    this.connection = file.connect();
    this.claim = this.connection.prepare(
      `UPDATE ${lane.table} SET Status = 'Sending', AttemptCount = AttemptCount + 1, LeaseOwner = '${OWNER}',
         LastAttemptAt = ${SQL_NOW}, NextAttemptAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '${LEASE}')
       WHERE Id IN (SELECT t.Id FROM ${lane.table} AS t WHERE t.NextAttemptAt IS NOT NULL AND t.Status <> 'Sent'
         AND t.NextAttemptAt <= ${SQL_NOW} ${CONDITIONS[claim]}
         ORDER BY t.NextAttemptAt, t.Id LIMIT ${LANE_DEFAULTS.batch})
       RETURNING Id, MessageKey, TargetUrl, PayloadJson`,
    );
    this.settle = this.connection.prepare(
      `UPDATE ${lane.table} AS t SET Status = 'Sent', SentAt = ${SQL_NOW}, LeaseOwner = NULL, NextAttemptAt = NULL
       FROM json_each(@ids) AS r WHERE t.Id = r.value AND t.LeaseOwner = '${OWNER}'`,
    );
  }

  /** Until nothing is due any more and everything is settled. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      this.end = resolve;
      this.takeTurn();
    });
  }

  /** Changes with the commits of others, not with those of the loop itself. */
  get dataVersion(): unknown {
    return this.connection.pragma('data_version', { simple: true });
  }

  close(): void {
    this.connection.close();
  }

  private takeTurn(): void {
    this.turn = undefined;
    const ids = this.finished;
    this.finished = [];
    this.connection.exec('BEGIN IMMEDIATE');
    if (ids.length > 0) this.settle.run({ ids: JSON.stringify(ids) });
    const rows = this.claim.all({ target: this.target }) as RawRow[];
    this.connection.exec('COMMIT');
    this.isEmpty = rows.length === 0;
    this.ready.push(...rows);
    this.pump();
  }

  private pump(): void {
    while (this.inFlight < LANE_DEFAULTS.concurrency) {
      const row = this.ready.shift();
      if (!row) break;
      void this.deliver(row);
    }
    if (this.isWorthATurn)
      this.turn ??= setImmediate(() => {
        this.takeTurn();
      });
    else if (this.inFlight === 0) this.end();
  }

  /** With a batch to write or too little to do, but not for every row of a target's last ones. */
  private get isWorthATurn(): boolean {
    const { batch, concurrency } = LANE_DEFAULTS;
    if (this.finished.length >= batch) return true;
    if (this.inFlight === 0) return this.finished.length > 0;
    return !this.isEmpty && this.ready.length < concurrency;
  }

  private async deliver({ Id, MessageKey: messageKey, TargetUrl: url, PayloadJson: body }: RawRow) {
    this.inFlight += 1;
    const { signal } = new AbortController();
    const outcome = await this.post({ messageKey, url, body }, { signal, mayLeave: () => true });
    if (outcome.kind !== 'delivered') throw new Error(`The sink did not take ${messageKey}`);
    this.inFlight -= 1;
    this.finished.push(Id);
    this.pump();
  }
}
