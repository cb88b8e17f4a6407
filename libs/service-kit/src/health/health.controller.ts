import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { Readiness, type ReadinessReport } from './readiness.ts';

@ApiExcludeController()
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Touches nothing: a restart does not cure a database. */
  @Get('live')
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    if (report.status !== 'ready') reply.code(503);
    return report;
  }

  /** The service listens only after it has started. */
  @Get('startup')
  startup(): { status: 'started' } {
    return { status: 'started' };
  }
}
