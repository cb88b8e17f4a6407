import { type ActionName, type RecordedAction } from '@malote/lanes';
import {
  FitsVarchar,
  IgnoreNameCase,
  MayBeAbsent,
  PageQuery,
  RefuseUnknownFields,
} from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

const ACTIONS = ['replay', 'discard', 'pause', 'resume', 'release'] as const satisfies readonly ActionName[];
const MAX_IDS = 20;

@IgnoreNameCase()
@RefuseUnknownFields()
export class ActionsQuery extends PageQuery {
  @MayBeAbsent()
  @FitsVarchar(90)
  lane?: string;

  @MayBeAbsent()
  @FitsVarchar(100)
  actor?: string;

  @MayBeAbsent()
  @IsIn(ACTIONS)
  action?: ActionName;
}

export class ActionView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty({
    enum: ACTIONS,
    description:
      'Nobody releases any more: it took a message out of its order, so that later ones went on without it',
  })
  action!: ActionName;

  @ApiProperty({ type: String, nullable: true, description: 'Null: it was done to a target' })
  lane!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The target that was paused or resumed' })
  target!: string | null;

  @ApiProperty({ description: 'Subject of the token' })
  actor!: string;

  @ApiProperty()
  reason!: string;

  @ApiProperty({ description: 'Messages, or the one lane or target' })
  affected!: number;

  @ApiProperty({
    type: Object,
    description: `What was asked for; of the ids of the messages, the first ${MAX_IDS}`,
  })
  selection!: object;
}

export class ActionsPage {
  @ApiProperty({ type: [ActionView] })
  items!: readonly ActionView[];

  @ApiProperty({ description: 'Cursor of the next page; absent on the last one', required: false })
  next?: string;
}

export function toActionView({
  lane: name,
  selection,
  affectedCount,
  ...action
}: RecordedAction): ActionView {
  const { ids, target, ...rest } = selection;
  const isPause = action.action === 'pause' || action.action === 'resume';
  const lane = isPause ? /^lane:(.*)$/.exec(name)?.[1] : name;
  return {
    id: action.id,
    at: action.at,
    action: action.action,
    lane: lane ?? null,
    target: lane === undefined && typeof target === 'string' ? target : null,
    actor: action.actor,
    reason: action.reason,
    affected: affectedCount,
    selection: isPause
      ? {}
      : { ...rest, ...(target !== undefined && { target }), ...(ids && { ids: ids.slice(0, MAX_IDS) }) },
  };
}
