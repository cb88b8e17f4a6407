import { AppError } from '@malote/app-error';
import { type Tx, varchar } from '@malote/persistence';

export interface ActiveType {
  readonly name: string;
  readonly prefix: string | null;
}

/** A document type, or why it takes no numbers. One that was deactivated takes none, whoever still shows it. */
export async function findActiveType(tx: Tx, id: string): Promise<ActiveType | AppError> {
  const row = await tx.first<{ Name: string; Prefix: string | null; IsActive: number | boolean }>(
    // Locked, so that nobody removes it before its number is stored.
    `SELECT Name AS Name, Prefix AS Prefix, IsActive AS IsActive FROM ${tx.dialect.table('TB_DOCUMENT_TYPES')} ` +
      `${tx.dialect.lockedRead} WHERE Id = @id`,
    { id: varchar(id, 36) },
  );
  if (!row) return new AppError('not-found', 'document-type-unknown', 'There is no such document type');
  if (row.IsActive) return { name: row.Name, prefix: row.Prefix };
  return new AppError('conflict', 'document-type-inactive', 'This document type takes no numbers any more');
}
