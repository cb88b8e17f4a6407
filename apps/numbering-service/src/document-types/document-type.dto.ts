import { DocumentTypeEntity } from '@malote/numbering';
import { IsText, MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsUUID, Matches, Max, Min } from 'class-validator';

const PREFIX = /^[A-Za-z0-9]{1,10}$/;
const LARGEST_ORDER = 9_999;

@RefuseUnknownFields()
export class NewDocumentTypeDto {
  @IsText(2, 50)
  name!: string;

  @ApiProperty({ type: String, nullable: true, required: false, pattern: PREFIX.source })
  @IsOptional()
  @Matches(PREFIX)
  prefix?: string | null;

  /** Behind all others unless given. */
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(LARGEST_ORDER)
  sortOrder?: number;
}

@RefuseUnknownFields()
export class DocumentTypeChangesDto {
  @MayBeAbsent()
  @IsText(2, 50)
  name?: string;

  /** Null takes the prefix away. */
  @ApiProperty({ type: String, nullable: true, required: false, pattern: PREFIX.source })
  @IsOptional()
  @Matches(PREFIX)
  prefix?: string | null;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(LARGEST_ORDER)
  sortOrder?: number;

  @MayBeAbsent()
  @IsBoolean()
  isActive?: boolean;
}

@RefuseUnknownFields()
export class DocumentTypeQuery {
  @MayBeAbsent()
  @IsIn(['true', 'false'])
  active?: 'true' | 'false';
}

export class DocumentTypePath {
  @IsUUID()
  id!: string;
}

export class DocumentTypeDto {
  @ApiProperty({ type: String, format: 'uuid' }) id!: string;
  @ApiProperty({ type: String, example: 'Ofício' }) name!: string;
  @ApiProperty({ type: String, nullable: true, example: 'OF' }) prefix!: string | null;
  @ApiProperty({ type: Boolean }) isActive!: boolean;
  @ApiProperty({ type: Number }) sortOrder!: number;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time' }) updatedAt!: Date;
}

export class DocumentTypeListDto {
  @ApiProperty({ type: [DocumentTypeDto] }) items!: DocumentTypeDto[];
}

export function toDocumentTypeDto(type: DocumentTypeEntity): DocumentTypeDto {
  const { id, name, prefix, isActive, sortOrder, createdAt, updatedAt } = type;
  return { id, name, prefix, isActive, sortOrder, createdAt, updatedAt };
}
