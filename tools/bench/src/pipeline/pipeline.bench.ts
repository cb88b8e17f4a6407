import { type Bench } from '../bench.ts';
import { tickets } from './tickets.ts';

export const bench: Bench = { tickets };
