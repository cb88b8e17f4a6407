import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { databaseUnavailable } from '../database-errors.ts';

export type Connection = InstanceType<typeof Libsql>;

/** Whatever the disk says to it (no right, no folder, a file where a folder should be), the database is away until that is mended. */
function onDisk<T>(attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    throw databaseUnavailable(error, 'The database file cannot be opened');
  }
}

export function makeFolderOf(file: string): void {
  onDisk(() => mkdirSync(dirname(file), { recursive: true }));
}

/** The driver's errors have a code, but not the one that ends its attempt to open a file. */
export function openFile(file: string, options: Libsql.Options): Connection {
  return onDisk(() => new Libsql(file, options));
}

/** A deleted or replaced file would swallow commits: the open handle still writes to the old one. */
export function fileIdentity(file: string): number {
  const stat = onDisk(() => statSync(file, { throwIfNoEntry: false }));
  if (!stat) throw databaseUnavailable(undefined, 'The database file is missing');
  return stat.ino;
}
