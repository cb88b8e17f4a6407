import { type Operator } from '@malote/outbox';
import { type Caller, IgnoreNameCase, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsReason } from './request-rules.ts';

@IgnoreNameCase()
@RefuseUnknownFields()
export class ChangeDto {
  @IsReason()
  reason!: string;
}

/** Who paused a lane or a target. */
export class PauseView {
  @ApiProperty({ description: 'Subject of the token' })
  by!: string;

  @ApiProperty()
  reason!: string;

  @ApiProperty()
  since!: Date;
}

export class ReplayedView {
  @ApiProperty({ description: 'Messages that were put back' })
  replayed!: number;
}

/** The column holds a hundred characters; whoever has a longer name is known by its beginning. */
export function operatorOf({ subject }: Caller, reason: string): Operator {
  return { actor: subject.slice(0, 100).toWellFormed(), reason };
}
