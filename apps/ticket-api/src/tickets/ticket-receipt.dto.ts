import { TICKET_STATUSES, type TicketStatus } from '@malote/tickets';
import { ApiProperty } from '@nestjs/swagger';

export const OUTCOMES = ['created', 'unchanged', 'updated'] as const;

/** The answer to a posted ticket. */
export class TicketReceiptDto {
  @ApiProperty({ type: String, description: 'A number, as text: it may outgrow what JSON numbers hold' })
  readonly id!: string;

  @ApiProperty({ type: String, description: 'As first received; keys are compared without regard to case' })
  readonly businessEntity!: string;

  @ApiProperty({ type: String })
  readonly businessDocId!: string;

  @ApiProperty({ type: Number })
  readonly phaseCode!: number;

  @ApiProperty({ type: String, enum: TICKET_STATUSES })
  readonly status!: TicketStatus;

  @ApiProperty({
    type: String,
    enum: OUTCOMES,
    description: '`unchanged`: the same content was here before; `updated`: the content was corrected',
  })
  readonly outcome!: (typeof OUTCOMES)[number];
}
