import { runService } from '@malote/service-kit';
import { service } from './service.ts';

await runService(service);
