import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, type UnitOfWork } from '@malote/persistence';
import { functionalAck } from '@malote/tickets';
import { TICKET_TABLES } from '@malote/tickets/testing';
import Libsql from 'libsql';

export type Connection = InstanceType<typeof Libsql>;

export const lane = functionalAck;
export const SQL_NOW = `strftime('%Y-%m-%d %H:%M:%f', 'now')`;

export interface Rows {
  readonly count: number;
  readonly state: RowState;
  /** The n-th row goes to the n-th of these, and after the last to the first again. */
  readonly targets: readonly string[];
  /** So many order keys, `key-0` and on, used in turn. */
  readonly orderKeys?: number;
  readonly payloadBytes: number;
}

export type RowState = 'due' | 'later' | 'parked' | 'settled';

interface StateColumns {
  readonly status: string;
  readonly sentAt: string;
  readonly nextAttemptAt: string;
}

const STATES: Readonly<Record<RowState, StateColumns>> = {
  due: { status: 'Pending', sentAt: 'NULL', nextAttemptAt: SQL_NOW },
  later: { status: 'Pending', sentAt: 'NULL', nextAttemptAt: `'2999-01-01 00:00:00.000'` },
  parked: { status: 'Pending', sentAt: 'NULL', nextAttemptAt: 'NULL' },
  settled: { status: 'Sent', sentAt: SQL_NOW, nextAttemptAt: 'NULL' },
};

/** A SQLite file with the tables of tickets, filled and read past the engine. */
export class LaneFile {
  private inserted = 0;
  private readonly database: Database;

  private constructor(readonly folder: string) {
    this.database = Database.open(this.databaseUrl, TICKET_TABLES);
    // As services run in production.
    this.database.unitOfWork.skipNestingCheck();
  }

  /** A fresh one. */
  static async create(): Promise<LaneFile> {
    const file = new LaneFile(mkdtempSync(join(tmpdir(), 'malote-bench-')));
    await file.database.checkSchema();
    return file;
  }

  /** One that another process created. */
  static open(folder: string): LaneFile {
    return new LaneFile(folder);
  }

  get databaseUrl(): string {
    return `sqlite:${this.path}`;
  }

  get uow(): UnitOfWork {
    return this.database.unitOfWork;
  }

  /** A connection of its own, as durable as the service's. */
  connect(): Connection {
    const connection = new Libsql(this.path);
    connection.pragma('busy_timeout = 5000');
    connection.pragma('synchronous = FULL');
    return connection;
  }

  /** Runs something past the engine, and leaves the log empty behind it. */
  fill(work: (connection: Connection) => void): void {
    const connection = this.connect();
    work(connection);
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
  }

  insert({ count, state, targets, orderKeys = 0, payloadBytes }: Rows): void {
    const { status, sentAt, nextAttemptAt } = STATES[state];
    const first = this.inserted;
    this.inserted += count;
    this.fill((connection) => {
      connection
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @count - 1)
           INSERT INTO ${lane.table} (BusinessDocId, PayloadJson, TargetUrl, MessageKey, OrderKey, Status, SentAt, NextAttemptAt)
           SELECT 'doc-' || i, @payload, @targets ->> CAST(i % @targetCount AS INTEGER), 'message-' || printf('%08d', @first + i),
             CASE WHEN @orderKeys > 0 THEN 'key-' || CAST(i % @orderKeys AS INTEGER) END, @status, ${sentAt}, ${nextAttemptAt} FROM n`,
        )
        .run({
          count,
          first,
          status,
          orderKeys,
          payload: payloadOf(payloadBytes),
          targets: JSON.stringify(targets),
          targetCount: targets.length,
        });
    });
  }

  countSettled(): number {
    const connection = this.connect();
    const row = connection.prepare(`SELECT COUNT(*) AS n FROM ${lane.table} WHERE Status = 'Sent'`).get();
    connection.close();
    return (row as { n: number }).n;
  }

  close(): Promise<void> {
    return this.database.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get path(): string {
    return join(this.folder, 'bench.db');
  }
}

/** JSON of so many bytes. */
export function payloadOf(bytes: number): string {
  return JSON.stringify({ filler: 'x'.repeat(Math.max(0, bytes - '{"filler":""}'.length)) });
}
