export { compareWithEntities } from './compare-with-entities.ts';
export { describeEachEngine, type EngineOptions, type TestEngine } from './engines.ts';
export { readTables } from './script-reader.ts';
export { SCRIPTS_FOLDER } from './scripts-folder.ts';
export { type Said, SqlRecorder } from './sql-recorder.ts';
export { leaseEmptyDatabase, type LeasedDatabase } from './sqlserver-lease.ts';
export { UnitOfWorkAround } from './unit-of-work-around.ts';
