import { driverErrorOf } from '../dialect.ts';
import { type SqlRow } from '../tx.ts';

/** 2627 is a constraint, 2601 a unique index. */
const DUPLICATE_KEY = [2627, 2601];
/** `sp_getapplock` says by its return value what other locks say by an error; these two numbers are ours. */
export const LOCK_DEADLOCK = 51205;
export const LOCK_TIMEOUT = 51222;
/** Deadlock victim, lock time-out, snapshot update conflicts. */
const TRANSIENT = [1205, 1222, 3960, 3961, LOCK_DEADLOCK, LOCK_TIMEOUT];
/** Shutting down, cannot open, login refused, throttled, moved: the service waits and tries again. */
const OUT_OF_REACH = [
  64, 233, 921, 927, 4060, 6005, 10053, 10054, 10060, 10928, 10929, 17142, 18401, 18456, 40197, 40501, 40613,
  49918, 49919, 49920,
];
/** The last two are what a connection says that was lost in the middle of a transaction. */
const CONNECTION_CODES = [
  'ESOCKET',
  'ETIMEOUT',
  'ECONNCLOSED',
  'ENOTOPEN',
  'ELOGIN',
  'EINSTLOOKUP',
  'ECONNRESET',
  'ENOCONN',
  'EALREADYCONNECTING',
  'EINVALIDSTATE',
  'EABORT',
];

const MAX_LAYERS = 8;

/** Another transaction inserted the same key between the look and the insert, and has committed since. */
export class BeatenToKey extends Error {
  constructor(readonly duplicate: unknown) {
    super('Another transaction inserted the same key', { cause: duplicate });
  }
}

/** The server has rolled the transaction back: only the whole work can go on, and this time it finds the row. */
export function runAgainWhenBeaten(error: unknown): never {
  throw isDuplicateKey(error) ? new BeatenToKey(error) : error;
}

export function isDuplicateKey(error: unknown): boolean {
  return DUPLICATE_KEY.includes(numberOf(error));
}

/** The same work may succeed when it is run again from its start. */
export function isTransient(error: unknown): boolean {
  return error instanceof BeatenToKey || TRANSIENT.includes(numberOf(error));
}

/** The database is out of reach, or its locks are. */
export function isUnavailable(error: unknown): boolean {
  return [...layersOf(error)].some(saysUnavailable);
}

function saysUnavailable(error: object): boolean {
  const { number, code, name } = error as SqlRow;
  return (
    OUT_OF_REACH.includes(Number(number)) ||
    TRANSIENT.includes(Number(number)) ||
    CONNECTION_CODES.includes(String(code)) ||
    name === 'ConnectionError' ||
    // The pool's: all connections are in use, or none can be made. Its errors are told by their class, their name is "Error".
    error.constructor.name === 'TimeoutError'
  );
}

/** TypeORM, mssql and tedious each wrap what the one below threw, or pass it on as it is. */
function* layersOf(error: unknown): Generator<object> {
  let layer = error;
  for (let depth = 0; typeof layer === 'object' && layer !== null && depth < MAX_LAYERS; depth += 1) {
    yield layer;
    const { driverError, originalError, cause } = layer as SqlRow;
    layer = driverError ?? originalError ?? cause;
  }
}

function numberOf(error: unknown): number {
  const { number } = driverErrorOf(error);
  return typeof number === 'number' ? number : 0;
}
