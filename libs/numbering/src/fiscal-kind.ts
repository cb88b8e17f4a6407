/** What an issuer numbers: NF-e, NFC-e, the DPS of a national NFS-e, the RPS of one of São Paulo. */
export const FISCAL_KINDS = ['nfe', 'nfce', 'dps', 'rps'] as const;
export type FiscalKind = (typeof FISCAL_KINDS)[number];

/** As many digits as the layouts have: nNF 9, nDPS 15, NumeroRPS 12. */
const LARGEST: Readonly<Record<FiscalKind, number>> = {
  nfe: 999_999_999,
  nfce: 999_999_999,
  dps: 999_999_999_999_999,
  rps: 999_999_999_999,
};

/** NF-e and NFC-e: up to three digits. DPS: up to five digits. RPS: up to five letters or digits. None with leading zeros. */
const SERIES: Readonly<Record<FiscalKind, RegExp>> = {
  nfe: /^(?:0|[1-9]\d{0,2})$/,
  nfce: /^(?:0|[1-9]\d{0,2})$/,
  dps: /^[1-9]\d{0,4}$/,
  rps: /^[1-9A-Z][0-9A-Z]{0,4}$/,
};

export function largestNumber(kind: FiscalKind): number {
  return LARGEST[kind];
}

export function isSeries(kind: FiscalKind, series: string): boolean {
  return SERIES[kind].test(series);
}
