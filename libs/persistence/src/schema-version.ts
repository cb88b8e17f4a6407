/** Number of the newest script in tools/sqlserver that this release needs; readiness compares it. */
export const SCHEMA_VERSION = 8;
