import {
  FitsVarchar,
  IgnoreNameCase,
  IsKey,
  MayBeAbsent,
  PageQuery,
  RefuseUnknownFields,
} from '@malote/service-kit';
import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { ActionView } from './action.dto.ts';
import { RowFilterDto } from './filter.dto.ts';

const STATUS_WORDS =
  "The lane's own word; or `dead` (it gave up), `discarded` (a person took it out), `parked` (it waits for another message) or, in " +
  'lanes that can ask their target, `in-doubt` (its target may have it)';

@IgnoreNameCase()
@RefuseUnknownFields()
export class MessagesQuery extends IntersectionType(PageQuery, RowFilterDto) {
  @ApiProperty({ description: STATUS_WORDS })
  @MayBeAbsent()
  @FitsVarchar(20)
  status?: string;

  @MayBeAbsent()
  @IsKey(100)
  businessEntity?: string;

  @MayBeAbsent()
  @IsKey(100)
  businessDocId?: string;

  @MayBeAbsent()
  @FitsVarchar(200)
  messageKey?: string;
}

const nullable = { nullable: true } as const;

/** A message without what it says. */
export class MessageView {
  @ApiProperty({ example: '4711' })
  id!: string;

  @ApiProperty({ description: STATUS_WORDS })
  status!: string;

  @ApiProperty()
  attempts!: number;

  @ApiProperty({ type: String, ...nullable })
  lastError!: string | null;

  @ApiProperty({ type: String, description: 'Null: work of our own', ...nullable })
  target!: string | null;

  @ApiProperty({ type: String, description: 'Null: written by another system', ...nullable })
  messageKey!: string | null;

  @ApiProperty({ required: false })
  businessEntity?: string;

  @ApiProperty({ required: false })
  businessDocId?: string;

  @ApiProperty({ required: false })
  phaseCode?: number;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ type: Date, ...nullable })
  lastAttemptAt!: Date | null;

  @ApiProperty({
    type: Date,
    description: 'When a worker may take it; null: delivered, dead, discarded or parked',
    ...nullable,
  })
  nextAttemptAt!: Date | null;

  @ApiProperty({ type: Date, ...nullable })
  sentAt!: Date | null;
}

export class MessageDetailView extends MessageView {
  @ApiProperty({ description: 'The JSON that is sent; text when it is no JSON', anyOf: [{}] })
  payload!: unknown;

  @ApiProperty({ type: String, description: 'Messages of one key are delivered in order', ...nullable })
  orderKey!: string | null;

  @ApiProperty({ type: String, description: 'The claim that holds it', ...nullable })
  leaseOwner!: string | null;

  @ApiProperty({ type: String, ...nullable })
  traceParent!: string | null;

  @ApiProperty({
    type: Date,
    description:
      'When a person decided that it is not delivered any more; null: nobody did, or it was brought back',
    ...nullable,
  })
  discardedAt!: Date | null;

  @ApiProperty({
    type: Date,
    required: false,
    description:
      'From when on its target may have it; null: it certainly does not. Only in lanes that can ask their target',
    ...nullable,
  })
  inDoubtSince?: Date | null;

  @ApiProperty({
    required: false,
    description: 'How often its target was asked about it. Only in lanes that can ask their target',
  })
  askCount?: number;

  @ApiProperty({ type: [ActionView], description: 'Who replayed or discarded this message' })
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
