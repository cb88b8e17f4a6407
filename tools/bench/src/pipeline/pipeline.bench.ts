import { type Bench } from '../bench.ts';
import { steady } from './steady.ts';
import { tickets } from './tickets.ts';

export const bench: Bench = { tickets, steady };
