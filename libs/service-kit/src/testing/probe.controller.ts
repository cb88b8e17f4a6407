import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type AppErrorKind } from '@malote/app-error';
import { UnitOfWork } from '@malote/persistence';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public, Scopes } from '../auth/access.decorator.ts';
import type { Caller } from '../auth/caller.ts';
import { CurrentCaller } from '../auth/current-caller.decorator.ts';
import { Log } from '../logging/log.ts';
import { traceParentOf } from '../logging/trace.ts';
import { CancelDto, OrderDto, PageQuery } from './probe.dto.ts';

const FAULTS: Readonly<Record<string, () => void>> = {
  thrown: () => {
    throw new TypeError('broken while nobody looked');
  },
  rejected: () => {
    void Promise.reject(new RangeError('rejected while nobody looked'));
  },
  nothing: () => {
    // Libraries reject with anything, or with nothing at all.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    void Promise.reject();
  },
  late: () => setTimeout(() => FAULTS.thrown?.(), 5),
};

/** A route for everything the kit promises; its own specs are the only users. */
@Public()
@Controller('probe')
export class ProbeController {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: Log,
  ) {}

  @Scopes('probe:read')
  @Get('private')
  private(@CurrentCaller() caller: Caller) {
    return { subject: caller.subject, scopes: [...caller.scopes], company: caller.claims.company };
  }

  @Scopes('probe:read', 'probe:write')
  @Post('private')
  write() {
    return { written: true };
  }

  @Get('items/:id')
  item(@Param('id') id: string, @Query() { limit }: PageQuery) {
    return { id, limit };
  }

  @HttpCode(200)
  @Post('echo')
  async echo(@Body() body: unknown, @Req() request: FastifyRequest) {
    await sleep(1);
    return { body, rawBytes: request.rawBody?.length, traceParent: traceParentOf(request) };
  }

  @Post('orders')
  order(@Body() order: OrderDto) {
    return { isDto: order instanceof OrderDto, order };
  }

  @Post('cancellations')
  cancel(@Body() { reason }: CancelDto) {
    return { reason };
  }

  @Get('fail/:kind')
  fail(@Param('kind') kind: string) {
    if (kind === 'unexpected') throw new TypeError('secret internals of 529.982.247-25');
    if (kind === 'imposter')
      throw Object.assign(new Error('no such row'), { statusCode: 404, code: 'ENOROW' });
    if (kind === 'logged') this.log.info('logged', { authorization: 'Bearer x', note: 'CPF 52998224725' });
    throw new AppError(kind as AppErrorKind, 'probe-failed', 'The probe failed on purpose', {
      details: { probe: 7 },
    });
  }

  /** Faults no request can be blamed for; each comes from outside of any promise that somebody waits for. */
  @Get('fault/:kinds')
  fault(@Param('kinds') kinds: string) {
    for (const kind of kinds.split(',')) setImmediate(FAULTS[kind] ?? (() => undefined));
  }

  @Get('rows')
  rows() {
    return this.uow.read((tx) => tx.query('SELECT 1 AS One'));
  }

  @Get('slow-rows')
  async slowRows() {
    await this.uow.run(async (tx) => {
      await sleep(400);
      await tx.query('SELECT 1 AS One');
    });
    this.log.info('rows read');
  }

  @Get('slow')
  async slow() {
    await sleep(600);
    return { done: true };
  }
}
