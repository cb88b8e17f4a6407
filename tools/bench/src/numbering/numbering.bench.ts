import { type Bench } from '../bench.ts';
import { direct } from './direct.ts';
import { http } from './http.ts';

export const bench: Bench = { direct: () => direct(), http: () => http() };
