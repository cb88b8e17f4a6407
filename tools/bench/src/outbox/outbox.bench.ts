import { type Bench } from '../bench.ts';
import { budget, budgetOfBytes } from './budget.ts';
import { crossProcess, crossProcessPolled } from './cross-process.ts';
import { delivered } from './delivered.ts';
import { idle, idlePolled } from './idle.ts';
import {
  adoptWithParked,
  claimWithHistory,
  depthWithHistory,
  promoteWithHistory,
} from './lane-with-history.ts';
import { latency } from './latency.ts';
import { makeDueWithHistory } from './make-due-with-history.ts';
import { manyTargets } from './many-targets.ts';
import { ordered } from './ordered.ts';

export const bench: Bench = {
  delivered,
  'many-targets': manyTargets,
  ordered,
  latency,
  'cross-process': crossProcess,
  'cross-process-polled': crossProcessPolled,
  'claim-with-history': claimWithHistory,
  'promote-with-history': promoteWithHistory,
  'adopt-with-parked': adoptWithParked,
  'depth-with-history': depthWithHistory,
  'make-due-with-history': makeDueWithHistory,
  idle,
  'idle-polled': idlePolled,
  budget,
  'budget-of-bytes': budgetOfBytes,
};
