import { IgnoreNameCase, IsKey, RefuseUnknownFields } from '@malote/service-kit';
import { CALLBACK_STATUSES, GATEWAY_SEND_STATUSES, RETURN_STATUSES, TICKET_STATUSES } from '@malote/tickets';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { type DocumentEvent, EVENT_KINDS, type EventKind } from './document-events.ts';
import { type TicketRow } from './document-rows.ts';
import { type Missing, MISSING_CODES, type MissingCode } from './missing.ts';

export class TraceParams {
  @IsKey(100)
  businessDocId!: string;
}

@IgnoreNameCase()
@RefuseUnknownFields()
export class TraceQuery {
  @ApiProperty({ description: 'Where documents of several entities share an id' })
  @IsOptional()
  @IsKey(100)
  businessEntity?: string;
}

export class PhaseState {
  @ApiProperty()
  ticketId!: string;

  @ApiProperty({ example: 'TCK' })
  businessEntity!: string;

  @ApiProperty({ example: 15 })
  phaseCode!: number;

  @ApiProperty({ enum: TICKET_STATUSES })
  status!: string;

  @ApiProperty({ enum: RETURN_STATUSES })
  returnStatus!: string;

  @ApiProperty({ enum: GATEWAY_SEND_STATUSES })
  gatewaySendStatus!: string;

  @ApiProperty({ enum: CALLBACK_STATUSES })
  callbackStatus!: string;
}

export class EventView implements DocumentEvent {
  @ApiProperty()
  at!: Date;

  @ApiProperty({ enum: EVENT_KINDS })
  kind!: EventKind;

  @ApiProperty({ required: false })
  businessEntity?: string;

  @ApiProperty({ required: false })
  phaseCode?: number;

  @ApiProperty({ example: 'Sending phase 15 to the gateway succeeded.' })
  summary!: string;

  @ApiProperty({ type: Object, description: 'Ids, attempts, the last error' })
  details!: Readonly<Record<string, unknown>>;
}

export class MissingView implements Missing {
  @ApiProperty({ enum: MISSING_CODES })
  code!: MissingCode;

  @ApiProperty({ required: false })
  businessEntity?: string;

  @ApiProperty({ required: false })
  phaseCode?: number;

  @ApiProperty({ example: 'Phase 15 never arrived; phase 6 waits for it.' })
  message!: string;
}

export class TraceView {
  @ApiProperty({ description: 'As it was first received' })
  businessDocId!: string;

  @ApiProperty({ type: [PhaseState] })
  state!: PhaseState[];

  @ApiProperty({ type: [EventView], description: 'In time order' })
  events!: readonly EventView[];

  @ApiProperty({ type: [MissingView], description: 'What one would expect and is not there' })
  missing!: readonly MissingView[];
}

export function toPhaseState(ticket: TicketRow): PhaseState {
  return {
    ticketId: ticket.id,
    businessEntity: ticket.businessEntity,
    phaseCode: ticket.phaseCode,
    status: ticket.processing.status,
    returnStatus: ticket.returnStatus,
    gatewaySendStatus: ticket.gatewaySend.status,
    callbackStatus: ticket.callback.status,
  };
}
