import { join } from 'node:path';
import { Child } from '@malote/child-process';

export interface QuietWorkerSettings {
  readonly databaseUrl: string;
  /** Of the file, for a raw loop; null: the engine. */
  readonly rawFolder: string | null;
  readonly hearsOfCommits: boolean;
  readonly target: string;
}

/** Delivers what others write, in a process of its own, until it is ended. */
export async function startQuietWorker(settings: QuietWorkerSettings): Promise<Child> {
  const child = new Child(join(import.meta.dirname, 'quiet-worker-process.ts'), settings);
  if ((await child.ready) === undefined) throw new Error('The worker has ended before it began');
  return child;
}
