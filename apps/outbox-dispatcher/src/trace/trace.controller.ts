import { AppError } from '@malote/app-error';
import { UnitOfWork } from '@malote/persistence';
import { Scopes } from '@malote/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { eventsOf } from './document-events.ts';
import { type DocumentRows } from './document-rows.ts';
import { missingOf } from './missing.ts';
import { toPhaseState, TraceParams, TraceQuery, TraceView } from './trace.dto.ts';
import { type DocumentKey, TraceRepository } from './trace.repository.ts';

export const RETENTION_DAYS = Symbol('days the outboxes keep what was delivered');

const PATIENCE_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

@ApiTags('trace')
@Scopes('ops:read')
@Controller('api/trace')
export class TraceController {
  constructor(
    private readonly trace: TraceRepository,
    private readonly uow: UnitOfWork,
    @Inject(RETENTION_DAYS) private readonly retentionDays: number,
  ) {}

  @ApiOperation({
    summary: 'All that happened to one document, and what is missing',
    description:
      'Across counterparties, both phases of its tickets, functional ACKs, returns, the gateway and its callbacks. Work that is ' +
      'younger than ten minutes is on its way, not missing.',
  })
  @ApiOkResponse({ type: TraceView })
  @ApiNotFoundResponse({ description: 'No table knows the document' })
  @Get(':businessDocId')
  async one(
    @Param() { businessDocId }: TraceParams,
    @Query() { businessEntity }: TraceQuery,
  ): Promise<TraceView> {
    const key = { businessDocId, businessEntity };
    const { rows, now } = await this.uow.read(async (tx) => ({
      rows: await this.trace.read(tx, key),
      now: await this.trace.now(tx),
    }));
    if (!isKnown(rows, key)) {
      throw new AppError('not-found', 'unknown-document', `Nothing is known of ${businessDocId}`);
    }
    const expectations = { now, patienceMs: PATIENCE_MS, keptMs: this.retentionDays * DAY_MS };
    return {
      businessDocId: rows.tickets[0]?.businessDocId ?? businessDocId,
      state: rows.tickets.map(toPhaseState),
      events: eventsOf(rows),
      missing: missingOf(rows, expectations),
    };
  }
}

/** An ACK alone does not make a document of an entity that was asked for. */
function isKnown(
  { tickets, returns, counterparties, acks }: DocumentRows,
  { businessEntity }: DocumentKey,
): boolean {
  const ofEntity = tickets.length + returns.length + counterparties.length;
  return ofEntity > 0 || (businessEntity === undefined && acks.length > 0);
}
