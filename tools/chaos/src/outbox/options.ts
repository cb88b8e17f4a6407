import { parseArgs } from 'node:util';
import { whole } from '../options.ts';

export const USAGE = `npm run chaos -- outbox [options]
  --seed N            fixes the sink's faults and the order of events (default 1)
  --messages N        messages in the storm (default 20000)
  --keys N            order keys they are spread over (default 500)
  --workers N         worker processes (default 4)
  --kills N           SIGKILLs in the storm (default 50)
  --stops N           SIGSTOPs longer than the lease (default 5)
  --restarts N        SIGTERMs, as in a rolling deployment (default 5)
  --recoveries N      kills in calm weather whose recovery is timed (default 3)
  --lease-ms N        lease of a claimed row (default 2000)
  --limit-ms N        longest time the whole run may take (default 600000)
  --askable           messages that must never reach the sink twice: it is asked about each that may have arrived
  --database-url URL  default: a SQLite file of its own; in any other, the lane's table and the tool's own are emptied first`;

export interface OutboxChaosOptions {
  readonly seed: number;
  readonly messages: number;
  readonly keys: number;
  readonly workers: number;
  readonly kills: number;
  readonly stops: number;
  readonly restarts: number;
  readonly recoveries: number;
  readonly leaseMs: number;
  readonly limitMs: number;
  readonly isAskable: boolean;
  readonly databaseUrl: string | undefined;
}

export function readOptions(args: readonly string[]): OutboxChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      messages: { type: 'string', default: '20000' },
      keys: { type: 'string', default: '500' },
      workers: { type: 'string', default: '4' },
      kills: { type: 'string', default: '50' },
      stops: { type: 'string', default: '5' },
      restarts: { type: 'string', default: '5' },
      recoveries: { type: 'string', default: '3' },
      'lease-ms': { type: 'string', default: '2000' },
      'limit-ms': { type: 'string', default: '600000' },
      askable: { type: 'boolean', default: false },
      'database-url': { type: 'string' },
    },
  });
  return {
    seed: whole('seed', values.seed),
    messages: whole('messages', values.messages),
    keys: whole('keys', values.keys, 1),
    workers: whole('workers', values.workers, 2),
    kills: whole('kills', values.kills, 1),
    stops: whole('stops', values.stops),
    restarts: whole('restarts', values.restarts),
    recoveries: whole('recoveries', values.recoveries),
    leaseMs: whole('lease-ms', values['lease-ms'], 1_000),
    limitMs: whole('limit-ms', values['limit-ms'], 1_000),
    isAskable: values.askable,
    databaseUrl: values['database-url'],
  };
}
