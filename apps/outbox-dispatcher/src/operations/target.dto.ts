import { type TargetReport } from '@malote/lanes';
import { IgnoreNameCase, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { ChangeDto, PauseView } from './change.dto.ts';
import { IsOrigin, originIn } from './request-rules.ts';

@IgnoreNameCase()
@RefuseUnknownFields()
export class TargetChangeDto extends ChangeDto {
  @ApiProperty({ type: 'string', format: 'uri', maxLength: 300, example: 'https://gateway.example' })
  @IsOrigin()
  target!: string;
}

export class WaitingView {
  @ApiProperty({ example: 'ticket-return' })
  lane!: string;

  @ApiProperty()
  count!: number;
}

export class TargetView {
  @ApiProperty({
    example: 'https://gateway.example',
    description:
      'An origin; or, while nobody sends to it, an address, or in gateway-send an application code',
  })
  target!: string;

  @ApiProperty({
    enum: ['closed', 'open', null],
    nullable: true,
    description:
      'Open: it fails for everyone, and is probed until it is back. Null: an address or a code, which shares the breaker of its origin',
  })
  breaker!: 'closed' | 'open' | null;

  @ApiProperty({ description: 'Times in a row the breaker opened without a success' })
  openCount!: number;

  @ApiProperty({ description: 'Seconds nobody sends for: it asked for them, or a probe is due then' })
  blockedForSeconds!: number;

  @ApiProperty({ type: PauseView, nullable: true })
  paused!: PauseView | null;

  @ApiProperty({ type: Date, nullable: true })
  lastSuccessAt!: Date | null;

  @ApiProperty({
    type: [WaitingView],
    description: 'Messages on their way to it; those to an address count for its origin, too',
  })
  waiting!: WaitingView[];
}

export class TargetsView {
  @ApiProperty({ type: [TargetView] })
  targets!: TargetView[];
}

/** A target nobody has said anything of yet serves everybody. */
export function toTargetView(
  target: string,
  report: TargetReport | undefined,
  waiting: WaitingView[],
): TargetView {
  const openCount = report?.openCount ?? 0;
  return {
    target,
    breaker: openCount > 0 ? 'open' : originIn(target) === undefined ? null : 'closed',
    openCount,
    blockedForSeconds: Math.ceil((report?.blockedForMs ?? 0) / 1000),
    paused: report?.pause ?? null,
    lastSuccessAt: report?.lastSuccessAt ?? null,
    waiting,
  };
}
