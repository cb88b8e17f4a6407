/** A ticket as partners send them: what we read of it and as much again of what we only keep. */
export function ticketJson(businessDocId: string, phaseCode = 15): string {
  return JSON.stringify({
    businessEntity: 'TCK',
    businessDocId,
    companyCode: '01',
    branchCode: '0107',
    destinationCode: '0257',
    phaseCode,
    shipmentEvent: 'RCD',
    functionalAckIsRequired: false,
    targetApplicationCode: 'ASB',
    ...(phaseCode === 6 && { grossWeight: 30_120.5, tareWeight: 12_040.25, netWeight: 18_080.25 }),
    vehicle: { plate: 'ABC1D23', driver: 'João da Conceição', axles: 5 },
    items: [
      { sku: 'SOJA-GRAO', description: 'Soja em grãos', unit: 'KG', quantity: 18_080.25 },
      { sku: 'LACRE', description: 'Lacre de segurança nº 00412', unit: 'UN', quantity: 4 },
    ],
    remarks: 'Descarga na moega 3, conferência de lacres pelo vigia do turno da manhã.',
  });
}
