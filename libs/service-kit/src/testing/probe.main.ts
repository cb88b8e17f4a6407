import { runService } from '../lifecycle/run-service.ts';
import { probeService } from './probe.service.ts';

await runService(probeService);
