import {
  FitsVarchar,
  IgnoreNameCase,
  IsInstant,
  IsKey,
  PageQuery,
  parseInstant,
  RefuseUnknownFields,
} from '@malote/service-kit';
import {
  CALLBACK_STATUSES,
  type CallbackStatus,
  GATEWAY_SEND_STATUSES,
  type GatewaySendStatus,
  PHASES,
  RETURN_STATUSES,
  type ReturnStatus,
  TICKET_STATUSES,
  type TicketInterfaceEntity,
  type TicketStatus,
} from '@malote/tickets';
import { Type } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { And, type FindOptionsWhere, LessThan, MoreThanOrEqual } from 'typeorm';

export class DocumentPath {
  @IsKey(100)
  businessEntity!: string;

  @IsKey(100)
  businessDocId!: string;
}

@IgnoreNameCase()
@RefuseUnknownFields()
export class TicketQuery extends PageQuery {
  @IsOptional()
  @IsKey(100)
  businessEntity?: string;

  @IsOptional()
  @IsKey(100)
  businessDocId?: string;

  @IsOptional()
  @Type(() => Number)
  @IsIn(PHASES)
  phaseCode?: number;

  @IsOptional()
  @FitsVarchar(20)
  companyCode?: string;

  @IsOptional()
  @FitsVarchar(20)
  branchCode?: string;

  @IsOptional()
  @IsKey(20)
  targetApplicationCode?: string;

  @IsOptional()
  @IsIn(TICKET_STATUSES)
  status?: TicketStatus;

  @IsOptional()
  @IsIn(RETURN_STATUSES)
  returnStatus?: ReturnStatus;

  @IsOptional()
  @IsIn(GATEWAY_SEND_STATUSES)
  gatewaySendStatus?: GatewaySendStatus;

  @IsOptional()
  @IsIn(CALLBACK_STATUSES)
  callbackStatus?: CallbackStatus;

  /** Received at this moment or later. */
  @IsOptional()
  @IsInstant()
  createdFrom?: string;

  /** Received before this moment. */
  @IsOptional()
  @IsInstant()
  createdTo?: string;
}

export function conditionsOf(query: TicketQuery): FindOptionsWhere<TicketInterfaceEntity> {
  const from = parseInstant(query.createdFrom ?? '');
  const to = parseInstant(query.createdTo ?? '');
  const bounds = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  const given = EQUAL.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]));
  return { ...Object.fromEntries(given), ...(bounds.length > 0 && { createdAt: And(...bounds) }) };
}

const EQUAL = [
  'businessEntity',
  'businessDocId',
  'phaseCode',
  'companyCode',
  'branchCode',
  'targetApplicationCode',
  'status',
  'returnStatus',
  'gatewaySendStatus',
  'callbackStatus',
] as const satisfies readonly (keyof TicketQuery & keyof TicketInterfaceEntity)[];
