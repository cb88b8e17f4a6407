import { type Figure } from './figure.ts';

/** A benchmark is a set of named measurements; each yields its figures when it has them. */
export type Bench = Readonly<Record<string, () => Promise<Figure>>>;
