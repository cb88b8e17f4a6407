import { runService } from '@malote/service-kit';
import { CREATE_ADMIN, createAdmin } from './commands/create-admin.ts';
import { service } from './service.ts';

const [command, ...args] = process.argv.slice(2);
if (command === CREATE_ADMIN) process.exitCode = await createAdmin(args);
else await runService(service);
