import { type Figure } from './figure.ts';

export interface BenchOptions {
  /** A database of somebody's own, with all scripts applied; else figures are taken on SQLite files that are deleted afterwards. */
  readonly databaseUrl: string | undefined;
}

/** A benchmark is a set of named measurements; each yields its figure when it has it. */
export type Bench = Readonly<Record<string, (options: BenchOptions) => Promise<Figure>>>;
