import { IgnoreNameCase, IsRowId, MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsInt, Min } from 'class-validator';
import { RowFilterDto } from './filter.dto.ts';
import { MessageView } from './message.dto.ts';
import { IsReason } from './request-rules.ts';

/** Which dead messages are meant; without any condition, all of the lane. */
@IgnoreNameCase()
@RefuseUnknownFields()
export class DeadFilterDto extends RowFilterDto {
  @ApiProperty({ type: 'array', items: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' }, example: ['4711'] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsRowId({ each: true })
  ids?: string[];
}

@IgnoreNameCase()
@RefuseUnknownFields()
export class DeadChangeDto extends DeadFilterDto {
  @IsReason()
  reason!: string;

  @ApiProperty({
    description: '`matching` of the preview: nothing is changed when another number matches now',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  expected?: number;
}

export class DeadPreview {
  @ApiProperty({ description: 'Dead messages the filter selects' })
  matching!: number;

  @ApiProperty({ type: [MessageView], description: 'The oldest of them' })
  first!: readonly MessageView[];
}
