import { LANE_ENTITIES } from '@malote/lanes';
import { TICKET_ENTITIES } from '../ticket-entities.ts';
import { type TicketInterfaceEntity } from '../ticket-interface.entity.ts';

/** The tables of tickets, and those of the engine that works their lanes off. */
export const TICKET_TABLES = [...LANE_ENTITIES, ...TICKET_ENTITIES] as const;

/** A phase 15 as ticket-api stores it, due; its JSON speaks of the ticket it belongs to. */
export function ticketRow(more: Partial<TicketInterfaceEntity> = {}): Partial<TicketInterfaceEntity> {
  const key = { businessEntity: 'TCK', businessDocId: '01-0107-0257-5200004', phaseCode: 15 };
  const { businessEntity, businessDocId, phaseCode } = { ...key, ...more };
  return {
    businessEntity,
    businessDocId,
    phaseCode,
    companyCode: '01',
    branchCode: '0107',
    destinationCode: '0257',
    shipmentEvent: 'RCD',
    functionalAckIsRequired: false,
    targetApplicationCode: 'CRN',
    nextAttemptAt: new Date(0),
    rawPayloadJson: JSON.stringify({
      businessEntity,
      businessDocId,
      phaseCode,
      ...(phaseCode === 6 && { grossWeight: 30_000.5, tareWeight: 12_000.25, netWeight: 18_000.25 }),
    }),
    ...more,
  };
}
