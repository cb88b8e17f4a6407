import { IgnoreNameCase, IsKey } from '@malote/service-kit';
import { PHASES } from '@malote/tickets';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** What we read of a functional ACK (v3); it is sent as it came. */
@IgnoreNameCase()
export class FunctionalAckDto {
  @IsKey(100)
  businessDocId!: string;

  @IsOptional()
  @IsKey(100)
  businessEntity?: string | null;

  @IsOptional()
  @IsIn(PHASES)
  phaseCode?: number | null;

  /** Chooses the address when the application has one of its own. */
  @IsOptional()
  @IsKey(20)
  targetApplicationCode?: string | null;
}

export class FunctionalAckReceiptDto {
  @ApiProperty({ type: String })
  id!: string;

  @ApiProperty({ enum: ['enqueued', 'unchanged'], description: '`unchanged`: it had been enqueued before' })
  outcome!: 'enqueued' | 'unchanged';
}
