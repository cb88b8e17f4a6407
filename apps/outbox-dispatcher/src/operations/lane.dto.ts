import { type LaneDepth } from '@malote/lanes';
import { IsRowId } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { PauseView } from './change.dto.ts';

export class LaneParams {
  @IsString()
  lane!: string;
}

export class MessageParams extends LaneParams {
  @IsRowId()
  id!: string;
}

export class DepthView {
  @ApiProperty({
    description:
      "The lane's own word; or `dead` (gave up), `parked` (waits for another message) or, in lanes that can ask their target, " +
      '`in-doubt` (the target may have them)',
  })
  status!: string;

  @ApiProperty()
  count!: number;

  @ApiProperty()
  oldestSeconds!: number;
}

export class LaneView {
  @ApiProperty({ example: 'ticket-return' })
  name!: string;

  @ApiProperty({ type: [DepthView], description: 'Unfinished messages; what was discarded is none of them' })
  depth!: DepthView[];

  @ApiProperty({ description: 'All unfinished messages' })
  unfinished!: number;

  @ApiProperty({ description: 'Age of the oldest unfinished message that is not parked; 0 without any' })
  oldestSeconds!: number;

  @ApiProperty({ type: PauseView, nullable: true })
  paused!: PauseView | null;
}

export class LaneTotals {
  @ApiProperty()
  unfinished!: number;

  @ApiProperty()
  dead!: number;

  @ApiProperty()
  parked!: number;

  @ApiProperty({ description: 'Lanes that are paused' })
  paused!: number;
}

export class LanesView {
  @ApiProperty({ type: [LaneView] })
  lanes!: LaneView[];

  @ApiProperty()
  totals!: LaneTotals;
}

export function toLaneView(name: string, depths: readonly LaneDepth[], paused: PauseView | null): LaneView {
  const depth = depths.map((one) => ({ ...one, oldestSeconds: Math.round(one.oldestSeconds) }));
  const moving = depth.filter(({ status }) => status !== 'parked');
  return {
    name,
    depth,
    unfinished: sum(depth.map(({ count }) => count)),
    oldestSeconds: Math.max(0, ...moving.map(({ oldestSeconds }) => oldestSeconds)),
    paused,
  };
}

export function toLanesView(lanes: LaneView[]): LanesView {
  const counted = (status: string) =>
    sum(lanes.flatMap(({ depth }) => depth).map((one) => (one.status === status ? one.count : 0)));
  return {
    lanes,
    totals: {
      unfinished: sum(lanes.map(({ unfinished }) => unfinished)),
      dead: counted('dead'),
      parked: counted('parked'),
      paused: lanes.filter(({ paused }) => paused).length,
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
