export const WEIGHTS = { grossWeight: 30_000.5, tareWeight: 12_000.25, netWeight: 18_000.25 };

/** What a partner posts: phase 15, or phase 6 with its weights. */
export function shipmentTicket(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    businessEntity: 'TCK',
    businessDocId: '01-0107-0257-5200004',
    companyCode: '01',
    branchCode: '0107',
    destinationCode: '0257',
    phaseCode: 15,
    shipmentEvent: 'RCD',
    functionalAckIsRequired: false,
    targetApplicationCode: 'CRN',
    ...(more.phaseCode === 6 && WEIGHTS),
    ...more,
  };
}

/** The same without one of its fields. */
export function without(ticket: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ticket).filter(([key]) => key !== name));
}
