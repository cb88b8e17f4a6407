import { IgnoreNameCase, IsRowId, MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsInt, Min } from 'class-validator';
import { RowFilterDto } from './filter.dto.ts';
import { MessageView } from './message.dto.ts';
import { IsReason } from './request-rules.ts';

/** Which dead messages are meant; without any condition, all of the lane. */
@IgnoreNameCase()
@RefuseUnknownFields()
export class ReplayFilterDto extends RowFilterDto {
  @ApiProperty({ type: 'array', items: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' }, example: ['4711'] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsRowId({ each: true })
  ids?: string[];
}

@IgnoreNameCase()
@RefuseUnknownFields()
export class ReplayDto extends ReplayFilterDto {
  @IsReason()
  reason!: string;

  @ApiProperty({
    description: '`matching` of the preview: nothing is replayed when another number matches now',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  expected?: number;
}

export class ReplayPreview {
  @ApiProperty({ description: 'Messages that would be put back' })
  matching!: number;

  @ApiProperty({ type: [MessageView], description: 'Those that would be put back first' })
  first!: readonly MessageView[];
}
