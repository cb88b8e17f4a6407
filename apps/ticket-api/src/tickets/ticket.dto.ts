import {
  CALLBACK_STATUSES,
  type CallbackStatus,
  GATEWAY_SEND_STATUSES,
  type GatewaySendStatus,
  RETURN_STATUSES,
  type ReturnStatus,
  TICKET_STATUSES,
  type TicketInterfaceEntity,
  type TicketStatus,
} from '@malote/tickets';
import { ApiProperty } from '@nestjs/swagger';

const text = { type: String } as const;
const number = { type: Number } as const;
const moment = { type: String, format: 'date-time' } as const;
const textOrNull = { ...text, nullable: true } as const;
const momentOrNull = { ...moment, nullable: true } as const;

/** A ticket in one phase, with where it stands: processing, return, send to the gateway, callback. */
export class TicketDto {
  @ApiProperty(text) id!: string;
  @ApiProperty(text) businessEntity!: string;
  @ApiProperty(text) businessDocId!: string;
  @ApiProperty(number) phaseCode!: number;
  @ApiProperty(text) companyCode!: string;
  @ApiProperty(text) branchCode!: string;
  @ApiProperty(text) destinationCode!: string;
  @ApiProperty(text) shipmentEvent!: string;
  @ApiProperty({ type: Boolean }) functionalAckIsRequired!: boolean;
  @ApiProperty(text) targetApplicationCode!: string;
  @ApiProperty(moment) createdAt!: Date;
  @ApiProperty(moment) updatedAt!: Date;

  @ApiProperty({ enum: TICKET_STATUSES }) status!: TicketStatus;
  @ApiProperty(number) attemptCount!: number;
  @ApiProperty(textOrNull) lastError!: string | null;
  @ApiProperty(momentOrNull) lastAttemptAt!: Date | null;
  @ApiProperty(momentOrNull) processedAt!: Date | null;

  @ApiProperty({ enum: RETURN_STATUSES }) returnStatus!: ReturnStatus;
  @ApiProperty(number) returnAttemptCount!: number;
  @ApiProperty(textOrNull) returnLastError!: string | null;
  @ApiProperty(momentOrNull) returnLastAttemptAt!: Date | null;
  @ApiProperty(momentOrNull) returnSentAt!: Date | null;

  @ApiProperty({ enum: GATEWAY_SEND_STATUSES }) gatewaySendStatus!: GatewaySendStatus;
  @ApiProperty(number) gatewaySendAttemptCount!: number;
  @ApiProperty(textOrNull) gatewaySendLastError!: string | null;
  @ApiProperty(momentOrNull) gatewaySendLastAttemptAt!: Date | null;
  @ApiProperty(momentOrNull) gatewaySendSentAt!: Date | null;

  @ApiProperty({ enum: CALLBACK_STATUSES }) callbackStatus!: CallbackStatus;
  @ApiProperty(momentOrNull) callbackReceivedAt!: Date | null;
  @ApiProperty(textOrNull) callbackCode!: string | null;
  @ApiProperty(textOrNull) callbackMessage!: string | null;
}

export class TicketDetailDto extends TicketDto {
  @ApiProperty({ description: 'The ticket as it was received' }) payload!: unknown;
  @ApiProperty({ description: 'The callback that was taken last, as it was received; null before' })
  callbackPayload!: unknown;
}

export class DocumentDto {
  @ApiProperty(text) businessEntity!: string;
  @ApiProperty(text) businessDocId!: string;
  @ApiProperty({
    type: [TicketDetailDto],
    description: 'Phase 15, then phase 6, as far as they have arrived',
  })
  phases!: TicketDetailDto[];
}

export class TicketPageDto {
  @ApiProperty({ type: [TicketDto] }) items!: TicketDto[];
  @ApiProperty({ ...text, required: false, description: '`cursor` of the next page; absent on the last one' })
  next?: string;
}

/** All columns partners see in a list: those of the entity but for payloads and what only workers need. */
export const LISTED = [
  'id',
  'businessEntity',
  'businessDocId',
  'phaseCode',
  'companyCode',
  'branchCode',
  'destinationCode',
  'shipmentEvent',
  'functionalAckIsRequired',
  'targetApplicationCode',
  'createdAt',
  'updatedAt',
  'status',
  'attemptCount',
  'lastError',
  'lastAttemptAt',
  'processedAt',
  'returnStatus',
  'returnAttemptCount',
  'returnLastError',
  'returnLastAttemptAt',
  'returnSentAt',
  'gatewaySendStatus',
  'gatewaySendAttemptCount',
  'gatewaySendLastError',
  'gatewaySendLastAttemptAt',
  'gatewaySendSentAt',
  'callbackStatus',
  'callbackReceivedAt',
  'callbackCode',
  'callbackMessage',
] as const satisfies readonly (keyof TicketInterfaceEntity & keyof TicketDto)[];

export function toTicketDto(ticket: TicketInterfaceEntity): TicketDto {
  const listed = Object.fromEntries(LISTED.map((name) => [name, ticket[name]]));
  return listed as Pick<TicketInterfaceEntity, (typeof LISTED)[number]>;
}

export function toDocumentDto(phases: readonly TicketInterfaceEntity[]): DocumentDto {
  const [{ businessEntity, businessDocId } = { businessEntity: '', businessDocId: '' }] = phases;
  return { businessEntity, businessDocId, phases: phases.map(toTicketDetailDto) };
}

function toTicketDetailDto(ticket: TicketInterfaceEntity): TicketDetailDto {
  const { rawPayloadJson, callbackPayloadJson } = ticket;
  return Object.assign(toTicketDto(ticket), {
    payload: jsonOrText(rawPayloadJson),
    callbackPayload: callbackPayloadJson === null ? null : jsonOrText(callbackPayloadJson),
  });
}

/** Other systems write to the table too. */
function jsonOrText(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}
