import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outboxLane, OutboxTargetEntity } from '@malote/outbox';
import { Database, type UnitOfWork } from '@malote/persistence';
import { FunctionalAckOutboxEntity } from '@malote/tickets';
import Libsql from 'libsql';

export const lane = outboxLane({
  name: 'functional-ack',
  table: 'TB_FUNCTIONAL_ACK_OUTBOX',
  payload: ['BusinessDocId'],
});

const NOW = `strftime('%Y-%m-%d %H:%M:%f', 'now')`;

export interface Rows {
  readonly count: number;
  readonly target: string;
  readonly state: 'waiting' | 'settled';
  readonly payloadBytes: number;
}

/** A fresh SQLite file with the lane's table, filled and read past the engine. */
export class LaneFile {
  private readonly folder = mkdtempSync(join(tmpdir(), 'malote-bench-'));
  private readonly database = Database.open(`sqlite:${this.path}`, [
    FunctionalAckOutboxEntity,
    OutboxTargetEntity,
  ]);

  static async create(): Promise<LaneFile> {
    const file = new LaneFile();
    await file.database.checkSchema();
    return file;
  }

  get uow(): UnitOfWork {
    return this.database.unitOfWork;
  }

  /** A connection of its own, as durable as the service's. */
  connect(): InstanceType<typeof Libsql> {
    const connection = new Libsql(this.path);
    connection.pragma('busy_timeout = 5000');
    connection.pragma('synchronous = FULL');
    return connection;
  }

  insert({ count, target, state, payloadBytes }: Rows): void {
    const payload = JSON.stringify({
      filler: 'x'.repeat(Math.max(0, payloadBytes - '{"filler":""}'.length)),
    });
    const settled = state === 'settled';
    const connection = this.connect();
    connection
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
         INSERT INTO ${lane.table} (BusinessDocId, PayloadJson, TargetUrl, MessageKey, Status, AttemptCount, SentAt, NextAttemptAt)
         SELECT 'doc-' || i, @payload, @target, @state || '-' || printf('%08d', i), @status, @attempts,
           ${settled ? NOW : 'NULL'}, ${settled ? 'NULL' : NOW} FROM n`,
      )
      .run({
        count,
        payload,
        target,
        state,
        status: settled ? 'Sent' : 'Pending',
        attempts: settled ? 1 : 0,
      });
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
  }

  countSettled(): number {
    const connection = this.connect();
    const row = connection.prepare(`SELECT COUNT(*) AS n FROM ${lane.table} WHERE Status = 'Sent'`).get();
    connection.close();
    return (row as { n: number }).n;
  }

  async remove(): Promise<void> {
    await this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get path(): string {
    return join(this.folder, 'bench.db');
  }
}
