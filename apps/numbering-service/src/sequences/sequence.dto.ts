import { IsText, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsUUID, Max, Min } from 'class-validator';

const LARGEST_NUMBER = 999_999;

@RefuseUnknownFields()
export class AdjustmentDto {
  @IsUUID()
  documentTypeId!: string;

  /** The last number that was used elsewhere; this year's sequence goes on after it. */
  @IsInt()
  @Min(1)
  @Max(LARGEST_NUMBER)
  lastNumber!: number;

  @IsText(10, 500)
  justification!: string;
}

export class SequenceDto {
  @ApiProperty({ type: String, format: 'uuid' }) documentTypeId!: string;
  @ApiProperty({ type: String }) documentTypeName!: string;
  @ApiProperty({ type: Number }) year!: number;
  @ApiProperty({ type: Number }) lastNumber!: number;
  @ApiProperty({ type: String, format: 'date-time' }) updatedAt!: Date;
}

/** How a sequence was moved on. */
export class AdjustedDto {
  @ApiProperty({ type: String, format: 'uuid' }) documentTypeId!: string;
  @ApiProperty({ type: String }) documentTypeName!: string;
  @ApiProperty({ type: Number }) year!: number;
  @ApiProperty({ type: Number }) lastNumber!: number;
  @ApiProperty({ type: String }) justification!: string;
  @ApiProperty({ type: String, description: 'The name of who did it' }) by!: string;
  @ApiProperty({ type: String, format: 'date-time' }) at!: Date;
}

export class AdjustedListDto {
  @ApiProperty({ type: [AdjustedDto] }) items!: AdjustedDto[];
}

export class SequenceListDto {
  @ApiProperty({ type: [SequenceDto] }) items!: SequenceDto[];
}
