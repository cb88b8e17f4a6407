import { AppError } from '@malote/app-error';
import { Public } from '@malote/service-kit';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { findAsset } from './assets.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

@Public()
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  /** While two versions of the service run side by side, the other one may be asked; its answer must not stay in any cache. */
  @Get(':name')
  serve(
    @Param('name') name: string,
    @Query('v') version: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    const asset = findAsset(name);
    if (!asset) throw new AppError('not-found', 'route-not-found', 'There is nothing at this address');
    void reply.type(asset.type);
    if (version === asset.version) void reply.header('cache-control', FOR_EVER);
    return asset.content;
  }
}
