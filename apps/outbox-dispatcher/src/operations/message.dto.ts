import { IgnoreNameCase, IsInstant, IsKey, FitsVarchar, PageQuery } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { MinLength } from 'class-validator';
import { ActionView } from './action.dto.ts';
import { MayBeAbsent } from './request-rules.ts';

@IgnoreNameCase()
export class MessagesQuery extends PageQuery {
  @ApiProperty({ description: "One of the lane's own words, `dead` or `parked`" })
  @MayBeAbsent()
  @FitsVarchar(20)
  status?: string;

  @MayBeAbsent()
  @FitsVarchar(500)
  target?: string;

  @MayBeAbsent()
  @IsKey(100)
  businessEntity?: string;

  @MayBeAbsent()
  @IsKey(100)
  businessDocId?: string;

  @MayBeAbsent()
  @FitsVarchar(200)
  messageKey?: string;

  @MayBeAbsent()
  @IsInstant()
  createdFrom?: string;

  @ApiProperty({ description: 'Not included itself; a day stands for its beginning' })
  @MayBeAbsent()
  @IsInstant()
  createdTo?: string;

  @ApiProperty({ description: 'Part of the last error, in any case' })
  @MayBeAbsent()
  @MinLength(1)
  @FitsVarchar(200)
  errorContains?: string;
}

const nullable = { nullable: true } as const;

/** A message without what it says. */
export class MessageView {
  @ApiProperty({ example: '4711' })
  id!: string;

  @ApiProperty({
    description: "The lane's own word, or `dead` (gave up) or `parked` (waits for another row)",
  })
  status!: string;

  @ApiProperty()
  attempts!: number;

  @ApiProperty({ type: String, ...nullable })
  lastError!: string | null;

  @ApiProperty({ type: String, description: 'Null: work of our own', ...nullable })
  target!: string | null;

  @ApiProperty({ type: String, description: 'Null: written by another system', ...nullable })
  messageKey!: string | null;

  @ApiProperty()
  businessEntity?: string;

  @ApiProperty()
  businessDocId?: string;

  @ApiProperty()
  phaseCode?: number;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ type: Date, ...nullable })
  lastAttemptAt!: Date | null;

  @ApiProperty({
    type: Date,
    description: 'When a worker may take it; null: delivered, dead or parked',
    ...nullable,
  })
  nextAttemptAt!: Date | null;

  @ApiProperty({ type: Date, ...nullable })
  sentAt!: Date | null;
}

export class MessageDetailView extends MessageView {
  @ApiProperty({ description: 'The JSON that is sent; text when it is no JSON', type: Object })
  payload!: unknown;

  @ApiProperty({ type: String, description: 'Messages of one key are delivered in order', ...nullable })
  orderKey!: string | null;

  @ApiProperty({ type: String, description: 'The claim that holds it', ...nullable })
  leaseOwner!: string | null;

  @ApiProperty({ type: String, ...nullable })
  traceParent!: string | null;

  @ApiProperty({ type: [ActionView], description: 'Replays and releases of this message' })
  actions!: ActionView[];
}

export class MessagesPage {
  @ApiProperty({ type: [MessageView] })
  items!: readonly MessageView[];

  @ApiProperty({ description: 'Cursor of the next page; absent on the last one', required: false })
  next?: string;
}

/** The JSON, or the text when it is none: other systems write here too. */
export function valueOf(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
