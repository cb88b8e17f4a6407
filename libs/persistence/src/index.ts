export { Database, type EntityClass } from './database.ts';
export { isDatabaseBusy, isDatabaseClosed, isDatabaseOutage } from './database-errors.ts';
export { parseDatabaseUrl, type DatabaseUrl } from './database-url.ts';
export {
  type ClaimStatement,
  type Dialect,
  type Inserted,
  type JsonColumns,
  type SqlExpressions,
} from './dialect.ts';
export { type Finding } from './finding.ts';
export { type OutageListener } from './outage-watch.ts';
export { PersistenceModule, type PersistenceOptions } from './persistence.module.ts';
export {
  applyScripts,
  type Batch,
  readScripts,
  type SchemaScript,
  type ScriptReport,
  splitBatches,
} from './schema-scripts.ts';
export { SCHEMA_VERSION } from './schema-version.ts';
export {
  asDate,
  datetime2,
  nvarchar,
  type SqlParameters,
  type SqlRow,
  type SqlValue,
  type Tx,
  varchar,
} from './tx.ts';
export { UnitOfWork } from './unit-of-work.ts';
