import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditRegister, NUMBERING_TABLES } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { Database, type UnitOfWork } from '@malote/persistence';
import Libsql from 'libsql';

export type Connection = InstanceType<typeof Libsql>;

/** A fresh SQLite file with an empty register and one document type. */
export class RegisterFile {
  private constructor(
    readonly folder: string,
    private readonly database: Database,
    readonly documentTypeId: string,
  ) {}

  static async create(): Promise<RegisterFile> {
    const folder = mkdtempSync(join(tmpdir(), 'malote-bench-'));
    const database = Database.open(`sqlite:${fileIn(folder)}`, NUMBERING_TABLES);
    // As services run in production.
    database.unitOfWork.skipNestingCheck();
    return new RegisterFile(folder, database, await openType(database.unitOfWork));
  }

  get databaseUrl(): string {
    return `sqlite:${fileIn(this.folder)}`;
  }

  get uow(): UnitOfWork {
    return this.database.unitOfWork;
  }

  /** A connection of its own, as durable as a service's. */
  connect(): Connection {
    const connection = new Libsql(fileIn(this.folder));
    connection.pragma('busy_timeout = 5000');
    connection.pragma('synchronous = FULL');
    return connection;
  }

  /** What was answered must be the numbers from 1 on, each once, and the register must prove that it holds them. */
  async check(answered: readonly number[]): Promise<void> {
    const sorted = answered.toSorted((a, b) => a - b);
    const wrong = sorted.findIndex((number, n) => number !== n + 1);
    if (wrong !== -1) throw new Error(`Instead of ${wrong + 1} somebody was given ${sorted[wrong] ?? 0}`);
    const { documentTypeId } = this;
    const { intact, sequences } = await auditRegister(this.uow, { documentTypeId }, new Date());
    const entries = sequences.reduce((sum, sequence) => sum + sequence.entries, 0);
    if (!intact) throw new Error(`The register is broken: ${JSON.stringify(sequences)}`);
    if (entries !== sorted.length) throw new Error(`${sorted.length} numbers became ${entries} entries`);
  }

  async remove(): Promise<void> {
    await this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function fileIn(folder: string): string {
  return join(folder, 'bench.db');
}
