import {
  BREAK_KINDS,
  type BreakKind,
  type Description,
  LOG_KINDS,
  type LogKind,
  type SequenceAudit,
  type StoredEntry,
} from '@malote/numbering';
import { IsRowId, IsText, MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { NUMBER_STATES, type NumberState } from './register.query.ts';
import type { RegisteredAnswer } from './numbers.service.ts';
import type { RegisteredNumber } from './register.repository.ts';

const text = { type: String } as const;
const textOrNull = { ...text, nullable: true } as const;
const moment = { type: String, format: 'date-time' } as const;

/** What people say of a number. In an amendment, what is absent stays as it is and null takes it away. */
@RefuseUnknownFields()
export class DescriptionDto {
  /** What the document is about. */
  @ApiProperty({ ...textOrNull, required: false, maxLength: 200 })
  @IsOptional()
  @IsText(0, 200)
  subject?: string | null;

  /** Whom it goes to. */
  @ApiProperty({ ...textOrNull, required: false, maxLength: 200 })
  @IsOptional()
  @IsText(0, 200)
  recipient?: string | null;

  /** Of the administrative process it belongs to. */
  @ApiProperty({ ...textOrNull, required: false, maxLength: 50 })
  @IsOptional()
  @IsText(0, 50)
  processNumber?: string | null;

  @ApiProperty({ ...textOrNull, required: false, maxLength: 500 })
  @IsOptional()
  @IsText(0, 500)
  notes?: string | null;
}

@RefuseUnknownFields()
export class NewNumberDto extends DescriptionDto {
  @IsUUID()
  documentTypeId!: string;
}

@RefuseUnknownFields()
export class AnnulmentDto {
  @IsText(10, 500)
  reason!: string;
}

export class NumberPath {
  @IsRowId()
  id!: string;
}

export class UserOfNumberDto {
  @ApiProperty({ ...text, format: 'uuid' }) id!: string;
  @ApiProperty(text) name!: string;
  @ApiProperty(text) email!: string;
}

export class AnnulledDto {
  @ApiProperty(text) reason!: string;
  @ApiProperty({ type: UserOfNumberDto }) by!: UserOfNumberDto;
  @ApiProperty(moment) at!: Date;
  @ApiProperty(text) atLocal!: string;
}

/** A number of the register, as it was taken. */
export class NumberDto {
  @ApiProperty(text) id!: string;
  @ApiProperty({ ...text, format: 'uuid' }) documentTypeId!: string;
  @ApiProperty({ ...text, example: 'Ofício' }) documentTypeName!: string;
  @ApiProperty({ ...textOrNull, example: 'OF' }) prefix!: string | null;
  @ApiProperty({ type: Number, example: 42 }) number!: number;
  @ApiProperty({ type: Number, example: 2026 }) year!: number;
  @ApiProperty({ ...text, example: '42/2026' }) formattedNumber!: string;
  @ApiProperty(textOrNull) subject!: string | null;
  @ApiProperty(textOrNull) recipient!: string | null;
  @ApiProperty(textOrNull) processNumber!: string | null;
  @ApiProperty(textOrNull) notes!: string | null;
  @ApiProperty({ type: UserOfNumberDto }) user!: UserOfNumberDto;
  @ApiProperty(moment) generatedAt!: Date;
  @ApiProperty({ ...text, example: '2026-06-15T11:30:00-03:00' }) generatedAtLocal!: string;
  @ApiProperty({ ...text, description: 'Seal of the entry, chained to the one before it' }) hash!: string;
  @ApiProperty({ enum: NUMBER_STATES }) state!: NumberState;
  @ApiProperty({ type: AnnulledDto, nullable: true }) annulment!: AnnulledDto | null;
}

/** One thing that happened to a number. */
export class NumberEventDto {
  @ApiProperty({ enum: LOG_KINDS }) kind!: LogKind;
  @ApiProperty({ type: UserOfNumberDto }) by!: UserOfNumberDto;
  @ApiProperty(moment) at!: Date;
  @ApiProperty(text) atLocal!: string;
  @ApiProperty(textOrNull) subject!: string | null;
  @ApiProperty(textOrNull) recipient!: string | null;
  @ApiProperty(textOrNull) processNumber!: string | null;
  @ApiProperty(textOrNull) notes!: string | null;
  @ApiProperty(textOrNull) reason!: string | null;
  @ApiProperty(text) hash!: string;
}

export class NumberHistoryDto {
  @ApiProperty({ type: [NumberEventDto], description: 'Oldest first' }) items!: NumberEventDto[];
}

export class TakenNumberDto extends NumberDto {
  @ApiProperty({
    enum: ['created', 'unchanged'],
    description: 'Unchanged: the Idempotency-Key had been used, and this is the number it got',
  })
  outcome!: 'created' | 'unchanged';
}

export class NumberPageDto {
  @ApiProperty({ type: [NumberDto] }) items!: NumberDto[];
  @ApiProperty({ ...text, required: false, description: '`cursor` of the next page; absent on the last one' })
  next?: string;
}

export class NextNumberDto {
  @ApiProperty({ ...text, format: 'uuid' }) documentTypeId!: string;
  @ApiProperty(text) documentTypeName!: string;
  @ApiProperty(textOrNull) prefix!: string | null;
  @ApiProperty({ ...text, description: 'What the next caller would get now; somebody else may be quicker' })
  formattedNumber!: string;
}

export class NextNumberListDto {
  @ApiProperty({ type: [NextNumberDto] }) items!: NextNumberDto[];
}

@RefuseUnknownFields()
export class AuditQuery {
  @MayBeAbsent()
  @IsUUID()
  documentTypeId?: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(2020)
  @Max(2100)
  year?: number;
}

export class BreakDto {
  @ApiProperty({ enum: BREAK_KINDS }) kind!: BreakKind;
  @ApiProperty({ type: Number, description: 'In the log of the sequence, from 1' }) position!: number;
  @ApiProperty(text) formattedNumber!: string;
}

export class SkippedDto {
  @ApiProperty({ type: Number }) from!: number;
  @ApiProperty({ type: Number }) to!: number;
}

export class SequenceAuditDto {
  @ApiProperty({ ...text, format: 'uuid' }) documentTypeId!: string;
  @ApiProperty(text) documentTypeName!: string;
  @ApiProperty({ type: Number }) year!: number;
  @ApiProperty({ type: Number }) lastNumber!: number;
  @ApiProperty({ type: Number }) entries!: number;
  @ApiProperty({ type: Number }) annulled!: number;
  @ApiProperty({ type: [SkippedDto], description: 'Numbers an admin moved the sequence past' })
  skipped!: readonly SkippedDto[];
  @ApiProperty({
    ...text,
    description:
      'End of the chain. A copy of it kept elsewhere proves later that nothing before it was changed',
  })
  lastHash!: string;
  @ApiProperty({ type: Boolean }) intact!: boolean;
  @ApiProperty({ type: BreakDto, required: false, description: 'The first thing that is wrong' })
  firstBreak?: BreakDto;
}

export class AuditDto {
  @ApiProperty({ type: Boolean, description: 'No gap, no number twice, every chain intact' })
  intact!: boolean;
  @ApiProperty(moment) checkedAt!: Date;
  @ApiProperty({ type: [SequenceAuditDto] }) sequences!: readonly SequenceAudit[];
}

export function toNumberDto(number: RegisteredNumber): NumberDto {
  return registered(number);
}

function registered({ taken, latest, annulled }: RegisteredNumber) {
  return { ...contentOf(taken), ...descriptionOf(latest), ...stateOf(annulled) };
}

export function toNumberEventDto(entry: StoredEntry): NumberEventDto {
  const { kind, generatedAt: at, generatedAtLocal: atLocal, reason, hash } = entry;
  return { kind, by: userOf(entry), at, atLocal, ...descriptionOf(entry), reason, hash };
}

export function toTakenNumberDto({ number, outcome }: RegisteredAnswer): TakenNumberDto {
  return { ...registered(number), outcome };
}

function contentOf(entry: StoredEntry): Omit<NumberDto, 'state' | 'annulment'> {
  const { id, documentTypeId, documentTypeName, prefix, number, year, formattedNumber } = entry;
  const { generatedAt, generatedAtLocal, hash } = entry;
  return {
    id,
    documentTypeId,
    documentTypeName,
    prefix,
    number,
    year,
    formattedNumber,
    ...descriptionOf(entry),
    user: userOf(entry),
    generatedAt,
    generatedAtLocal,
    hash,
  };
}

function descriptionOf({ subject, recipient, processNumber, notes }: Description): Description {
  return { subject, recipient, processNumber, notes };
}

function stateOf(annulled: StoredEntry | undefined): Pick<NumberDto, 'state' | 'annulment'> {
  if (!annulled) return { state: 'issued', annulment: null };
  const { reason, generatedAt: at, generatedAtLocal: atLocal } = annulled;
  return { state: 'annulled', annulment: { reason: reason ?? '', by: userOf(annulled), at, atLocal } };
}

function userOf({ userId: id, userName: name, userEmail: email }: StoredEntry): UserOfNumberDto {
  return { id, name, email };
}
