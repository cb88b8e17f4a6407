import { parseArgs } from 'node:util';
import { whole } from '../options.ts';

export const USAGE = `npm run chaos -- numbering [options]
  --seed N                   fixes the plan of events and what the callers do (default 1)
  --numbers N                numbers to be answered (default 100000)
  --processes N              processes that give out numbers (default 8)
  --callers N                callers for each of them, all at the same time (default 8)
  --kills N                  SIGKILLs from outside (default 25)
  --mid-transaction-kills N  SIGKILLs between two statements of a transaction or just before its commit (default 25)
  --unanswered-kills N       SIGKILLs after a commit, before its answer (default 10)
  --limit-ms N               longest time the whole run may take (default 600000)
  --database-url URL         default: a SQLite file of its own; in any other, document types of this run are added`;

export interface NumberingChaosOptions {
  readonly seed: number;
  readonly numbers: number;
  readonly processes: number;
  readonly callers: number;
  readonly kills: number;
  readonly midTransactionKills: number;
  readonly unansweredKills: number;
  readonly limitMs: number;
  readonly databaseUrl: string | undefined;
}

export function readOptions(args: readonly string[]): NumberingChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      numbers: { type: 'string', default: '100000' },
      processes: { type: 'string', default: '8' },
      callers: { type: 'string', default: '8' },
      kills: { type: 'string', default: '25' },
      'mid-transaction-kills': { type: 'string', default: '25' },
      'unanswered-kills': { type: 'string', default: '10' },
      'limit-ms': { type: 'string', default: '600000' },
      'database-url': { type: 'string' },
    },
  });
  return {
    seed: whole('seed', values.seed),
    numbers: whole('numbers', values.numbers, 100),
    processes: whole('processes', values.processes, 1),
    callers: whole('callers', values.callers, 1),
    kills: whole('kills', values.kills),
    midTransactionKills: whole('mid-transaction-kills', values['mid-transaction-kills']),
    unansweredKills: whole('unanswered-kills', values['unanswered-kills']),
    limitMs: whole('limit-ms', values['limit-ms'], 1_000),
    databaseUrl: values['database-url'],
  };
}
