import { parseArgs } from 'node:util';
import { whole } from '../options.ts';

export const USAGE = `npm run chaos -- tickets [options]
  --seed N            fixes the gateway's faults and the plan of events (default 1)
  --tickets N         tickets, two for each document (default 2000)
  --kills N           SIGKILLs of ticket-api and outbox-dispatcher (default 20)
  --stops N           SIGSTOPs longer than a lease (default 6)
  --settle-limit-s N  longest time one ticket may take to settle, outages and all (default 240)
  --limit-ms N        longest time the whole run may take (default 600000)
  --database-url URL  default: a SQLite file of its own; the tables of tickets in any other are emptied first. On SQL Server,
                      which refuses triggers on tables that are updated with OUTPUT, no history of states is kept and
                      "backwards" and "gaps" are null`;

export interface TicketsChaosOptions {
  readonly seed: number;
  readonly documents: number;
  readonly kills: number;
  readonly stops: number;
  readonly settleLimitSeconds: number;
  readonly limitMs: number;
  readonly databaseUrl: string | undefined;
}

export function readOptions(args: readonly string[]): TicketsChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      tickets: { type: 'string', default: '2000' },
      kills: { type: 'string', default: '20' },
      stops: { type: 'string', default: '6' },
      'settle-limit-s': { type: 'string', default: '240' },
      'limit-ms': { type: 'string', default: '600000' },
      'database-url': { type: 'string' },
    },
  });
  return {
    seed: whole('seed', values.seed),
    documents: Math.ceil(whole('tickets', values.tickets, 2) / 2),
    kills: whole('kills', values.kills, 1),
    stops: whole('stops', values.stops),
    settleLimitSeconds: whole('settle-limit-s', values['settle-limit-s'], 1),
    limitMs: whole('limit-ms', values['limit-ms'], 1_000),
    databaseUrl: values['database-url'],
  };
}
