import { randomUUID } from 'node:crypto';
import { saoPauloTime, saoPauloYear } from '@malote/brazil';
import { DocumentNumbers, fold } from '@malote/numbering';
import { requestFor } from './request.ts';
import { type Effort } from './rounds.ts';
import { type Connection, RegisterFile } from './register-file.ts';

const HASH = 'f'.repeat(64);

/** What a person would write who needs numbers without gaps and nothing around them: the limit of the service. */
export class RawLoop {
  private constructor(
    private readonly file: RegisterFile,
    private readonly connection: Connection,
    private readonly takeOne: () => void,
    private taken: number,
  ) {}

  static async open(): Promise<RawLoop> {
    const file = await RegisterFile.create();
    // The first number makes the sequence.
    await new DocumentNumbers(file.uow).take(requestFor(file.documentTypeId), new Date());
    const connection = file.connect();
    return new RawLoop(file, connection, prepareTake(connection, file.documentTypeId), 1);
  }

  /** Numbers per second; `together` of them share a commit. */
  measure({ warmUpMs, measuredMs }: Effort, together = 1): number {
    this.runFor(warmUpMs, together);
    return this.runFor(measuredMs, together);
  }

  /** What was committed must be there. */
  check(): void {
    const { Entries, Last } = this.connection
      .prepare('SELECT COUNT(*) AS Entries, MAX(Number) AS Last FROM TB_NUMBER_LOGS')
      .get() as { Entries: number; Last: number };
    if (Entries === this.taken && Last === this.taken) return;
    throw new Error(`${this.taken} raw numbers became ${Entries} entries up to ${Last}`);
  }

  async end(): Promise<void> {
    this.connection.close();
    await this.file.remove();
  }

  private runFor(ms: number, together: number): number {
    const began = performance.now();
    let numbers = 0;
    let elapsedMs = 0;
    for (; elapsedMs < ms; elapsedMs = performance.now() - began) {
      this.connection.exec('BEGIN IMMEDIATE');
      for (let n = 0; n < together; n += 1) this.takeOne();
      this.connection.exec('COMMIT');
      numbers += together;
    }
    this.taken += numbers;
    return numbers / (elapsedMs / 1000);
  }
}

/** As many columns, indexes and bytes as a number of ours; only the seal is not computed. */
function prepareTake(connection: Connection, documentTypeId: string): () => void {
  const year = saoPauloYear(new Date());
  const { user, description } = requestFor(documentTypeId);
  const { subject, recipient, processNumber } = description;
  const searchText = fold(Object.values(description).join(' | '));
  const advance = connection.prepare(
    `UPDATE TB_SEQUENCES SET LastNumber = LastNumber + 1, LastPosition = LastPosition + 1, LastHash = ?, UpdatedAt = ?
     WHERE DocumentTypeId = ? AND Year = ? RETURNING LastNumber`,
  );
  const insert = connection.prepare(
    `INSERT INTO TB_NUMBER_LOGS (DocumentTypeId, DocumentTypeName, Number, Year, FormattedNumber, UserId, UserName, UserEmail,
       GeneratedAt, GeneratedAtLocal, Kind, Position, Prefix, Subject, Recipient, ProcessNumber, RequestKey, SearchText, PreviousHash, Hash)
     VALUES (?, 'Ofício', ?, ?, ?, ?, ?, ?, ?, ?, 'generated', ?, 'OF', ?, ?, ?, ?, ?, ?, ?)`,
  );
  return () => {
    const now = new Date();
    const at = now.toISOString().replace('T', ' ').replace('Z', '');
    const { LastNumber: number } = advance.get(HASH, at, documentTypeId, year) as { LastNumber: number };
    insert.run(
      documentTypeId,
      number,
      year,
      `${number}/${year}`,
      user.id,
      user.name,
      user.email,
      at,
      saoPauloTime(now),
      number,
      subject,
      recipient,
      processNumber,
      randomUUID(),
      searchText,
      HASH,
      HASH,
    );
  };
}
