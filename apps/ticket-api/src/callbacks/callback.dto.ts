import { FitsVarchar, IgnoreNameCase, IsInstant, IsKey } from '@malote/service-kit';
import { CALLBACK_STATUSES, type CallbackStatus, PHASES } from '@malote/tickets';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';

const REPORTED = ['Received', 'Success', 'Error'] as const satisfies readonly CallbackStatus[];

/** What the gateway says about a ticket we sent. */
@IgnoreNameCase()
export class CallbackDto {
  @IsKey(100)
  businessEntity!: string;

  @IsKey(100)
  businessDocId!: string;

  @IsIn(PHASES)
  phaseCode!: number;

  @IsIn(REPORTED)
  status!: (typeof REPORTED)[number];

  @IsOptional()
  @FitsVarchar(50)
  code?: string | null;

  /** Kept to its first 2000 characters; all of it stays in the stored callback. */
  @IsOptional()
  @IsString()
  message?: string | null;

  @IsOptional()
  @IsInstant()
  occurredAt?: string;
}

export class CallbackReceiptDto {
  @ApiProperty({
    type: Boolean,
    description: 'False when the ticket had come as far already: nothing changed',
  })
  applied!: boolean;

  @ApiProperty({ enum: CALLBACK_STATUSES })
  callbackStatus!: CallbackStatus;
}
