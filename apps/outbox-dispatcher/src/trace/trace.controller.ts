import { AppError } from '@malote/app-error';
import { TargetStore } from '@malote/lanes';
import { UnitOfWork } from '@malote/persistence';
import { Scopes } from '@malote/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatedLanes } from '../operations/operated-lanes.ts';
import { eventsOf } from './document-events.ts';
import { type DocumentRows } from './document-rows.ts';
import { hindrancesOf } from './hindrances.ts';
import { missingOf } from './missing.ts';
import { toPhaseState, TraceParams, TraceQuery, TraceView } from './trace.dto.ts';
import { TraceRepository } from './trace.repository.ts';

export const RETENTION_DAYS = Symbol('days the outboxes keep what was delivered');

const PATIENCE_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

@ApiTags('trace')
@Scopes('ops:read')
@Controller('api/trace')
export class TraceController {
  private readonly targets: TargetStore;

  constructor(
    private readonly trace: TraceRepository,
    private readonly uow: UnitOfWork,
    private readonly lanes: OperatedLanes,
    @Inject(RETENTION_DAYS) private readonly retentionDays: number,
  ) {
    this.targets = new TargetStore(uow);
  }

  @ApiOperation({
    summary: 'All that happened to one document, and what is missing',
    description:
      'Across counterparties, both phases of its tickets, functional ACKs, returns, the gateway and its callbacks. A phase ' +
      'that has not arrived shows as missing at once, and so does what gave up, was refused, is paused, or has a target that is down or ' +
      'asks for patience. What a person discarded is not missing; its event says who did it and why. ' +
      'Other work is on its way for ten minutes, and missing only then.',
  })
  @ApiOkResponse({ type: TraceView })
  @ApiNotFoundResponse({ description: 'No table knows the document' })
  @Get(':businessDocId')
  async one(
    @Param() { businessDocId }: TraceParams,
    @Query() { businessEntity }: TraceQuery,
  ): Promise<TraceView> {
    const key = { businessDocId, businessEntity };
    const { rows, reports, now } = await this.uow.read(async (tx) => ({
      rows: await this.trace.read(tx, key),
      reports: await this.targets.reports(tx),
      now: await this.trace.now(tx),
    }));
    if (!isKnown(rows)) {
      throw new AppError('not-found', 'unknown-document', `Nothing is known of ${businessDocId}`);
    }
    const expectations = { now, patienceMs: PATIENCE_MS, keptMs: this.retentionDays * DAY_MS };
    return {
      businessDocId: rows.tickets[0]?.businessDocId ?? businessDocId,
      state: rows.tickets.map(toPhaseState),
      events: eventsOf(rows, now),
      missing: [...missingOf(rows, expectations), ...hindrancesOf(rows, reports, this.lanes.namesOf)],
    };
  }
}

function isKnown({ tickets, returns, counterparties, acks }: DocumentRows): boolean {
  return [tickets, returns, counterparties, acks].some(({ length }) => length > 0);
}
