import { type Bench } from '../bench.ts';
import { claimWithHistory } from './claim-with-history.ts';
import { delivered } from './delivered.ts';
import { idle } from './idle.ts';
import { latency } from './latency.ts';

export const bench: Bench = { delivered, 'claim-with-history': claimWithHistory, idle, latency };
