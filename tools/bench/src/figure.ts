/** One measured figure, with the raw limit of the same run beside it. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number | null;
  readonly ratio: number | null;
  readonly aim: string | null;
  readonly [extra: string]: unknown;
}

export interface Measured {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: number;
  readonly aim?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export function figure({ figure: name, value, unit, limit, aim, extra }: Measured): Figure {
  return {
    figure: name,
    value: rounded(value),
    unit,
    limit: limit === undefined ? null : rounded(limit),
    ratio: limit === undefined ? null : rounded(value / limit),
    aim: aim ?? null,
    ...extra,
  };
}

/** Three significant digits say all that a run on a shared machine knows; whole numbers stay whole. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
