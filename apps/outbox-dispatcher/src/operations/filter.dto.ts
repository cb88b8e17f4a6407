import { type RowFilter } from '@malote/lanes';
import { FitsVarchar, IsInstant, MayBeAbsent } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { MinLength } from 'class-validator';
import { momentOf } from './request-rules.ts';

/** What rows of every lane can be selected by. */
export class RowFilterDto {
  @ApiProperty({ description: 'The exact address; in gateway-send the application code' })
  @MayBeAbsent()
  @FitsVarchar(500)
  target?: string;

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

interface GivenFilter extends Readonly<RowFilterDto> {
  readonly ids?: readonly string[];
}

/** Only what was given: what is left out selects nothing away. */
export function toRowFilter({ ids, target, createdFrom, createdTo, errorContains }: GivenFilter): RowFilter {
  const from = momentOf(createdFrom);
  const to = momentOf(createdTo);
  return {
    ...(ids && { ids }),
    ...(target !== undefined && { target }),
    ...(from && { createdFrom: from }),
    ...(to && { createdTo: to }),
    ...(errorContains !== undefined && { errorContains }),
  };
}
