import { type Operator } from '@malote/lanes';
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

export class DiscardedView {
  @ApiProperty({ description: 'Messages that were taken out' })
  discarded!: number;
}

export const AFTER_A_DISCARD =
  'What comes behind a discarded message in its order goes on without it, but the phase 6 of a ticket still waits for its ' +
  'phase 15. A bulk replay leaves discarded messages alone; the replay of one message by its id brings it back.';

/** The column holds a hundred characters; whoever has a longer name is known by its beginning. */
export function operatorOf({ subject }: Caller, reason: string): Operator {
  return { actor: subject.slice(0, 100).toWellFormed(), reason };
}
