import { createHash } from 'node:crypto';
import { BASIC_PHASE, WEIGHED_PHASE } from '@malote/tickets';

export interface TicketName {
  readonly businessEntity: string;
  readonly businessDocId: string;
  readonly phaseCode: number;
}

const APPLICATIONS = ['ASB', 'WMS'] as const;

export function nameOf({ businessEntity, businessDocId, phaseCode }: TicketName): string {
  return `${businessEntity}/${businessDocId}/${phaseCode}`;
}

/** The same document's ticket that has to come first. */
export function basicNameOf(ticket: TicketName): string {
  return nameOf({ ...ticket, phaseCode: BASIC_PHASE });
}

/** The nth document of a run in one of its phases. */
export function ticketOf(seed: number, n: number, phaseCode: number): TicketName & Record<string, unknown> {
  return {
    businessEntity: 'TCK',
    businessDocId: `chaos-${seed}-${n}`,
    companyCode: '01',
    branchCode: '0107',
    destinationCode: '0257',
    phaseCode,
    shipmentEvent: 'RCD',
    functionalAckIsRequired: true,
    targetApplicationCode: APPLICATIONS[n % 2],
    ...(phaseCode === WEIGHED_PHASE && {
      grossWeight: 30_120.5,
      tareWeight: 12_040.25,
      netWeight: 18_080.25,
    }),
    remarks: 'Descarga na moega 3',
  };
}

/** As the sandbox's ledger names a body. */
export function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
