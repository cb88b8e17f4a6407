import { type LaneMessage } from '@malote/lanes';
import { type TicketKey } from '@malote/tickets';

/** The key in a claimed row of TB_TICKET_INTERFACE. */
export function ticketKeyOf({ row }: LaneMessage): TicketKey {
  return {
    businessEntity: String(row.BusinessEntity),
    businessDocId: String(row.BusinessDocId),
    phaseCode: Number(row.PhaseCode),
  };
}
