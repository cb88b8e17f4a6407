import { PageQuery, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import type { AdminActionEntity } from './admin-action.entity.ts';

@RefuseUnknownFields()
export class AdminActionsQuery extends PageQuery {}

export class AdminActionDto {
  @ApiProperty({ type: String, description: 'A number, as text' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  at!: Date;

  @ApiProperty({ type: String, description: 'Id of the admin, or `console`' })
  actorId!: string;

  @ApiProperty({ type: String, description: 'Name of the admin at that time' })
  actorName!: string;

  @ApiProperty({ type: String, example: 'user-deactivated' })
  action!: string;

  @ApiProperty({ type: String, description: 'Whom or what it was done to' })
  subject!: string;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: Object, additionalProperties: true })
  details!: Readonly<Record<string, unknown>>;
}

export class AdminActionsPage {
  @ApiProperty({ type: [AdminActionDto] })
  items!: readonly AdminActionDto[];

  @ApiProperty({
    type: String,
    required: false,
    description: '`cursor` of the next page; absent on the last one',
  })
  next?: string;
}

export function toAdminActionDto({ createdAt, details, ...action }: AdminActionEntity): AdminActionDto {
  const { id, actorId, actorName, action: name, subject, reason } = action;
  return {
    id,
    at: createdAt,
    actorId,
    actorName,
    action: name,
    subject,
    reason,
    details: details === null ? {} : (JSON.parse(details) as AdminActionDto['details']),
  };
}
