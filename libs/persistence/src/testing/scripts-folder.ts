import { join } from 'node:path';

export const SCRIPTS_FOLDER = join(import.meta.dirname, '../../../../tools/sqlserver');
