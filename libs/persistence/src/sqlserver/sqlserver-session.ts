import { type config } from 'mssql';

/** How long a statement waits for a row that somebody else has locked. A frozen process keeps its locks until it is killed. */
export const LOCK_WAIT_MS = 5_000;

type Connection = Parameters<NonNullable<config['beforeConnect']>>[0];

/**
 * The settings belong to the session, and the driver sends its own when it logs in: ours go with them. A SET in front of each
 * statement would be undone at the statement's end, and one in front of each transaction would cost a round trip.
 */
export function waitBrieflyForLocks(connection: Connection): void {
  const settings = connection.getInitialSql();
  connection.getInitialSql = () => `${settings}\nset lock_timeout ${LOCK_WAIT_MS}`;
}
