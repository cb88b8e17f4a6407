/**
 * What was found out about a database before a service works with it. `refuse`: ordinary statements fail, so the service is not ready.
 * `warn`: some may fail, or others' do. `info`: for the record.
 */
export interface Finding {
  readonly severity: 'refuse' | 'warn' | 'info';
  readonly check:
    'openjson' | 'triggers' | 'old-modules' | 'read-committed-snapshot' | 'tables' | 'columns' | 'indexes';
  /** What is wrong, and what to do, for a DBA. */
  readonly text: string;
}
