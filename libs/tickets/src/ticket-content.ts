import { type TicketKey } from './ticket-keys.ts';
import { areConsistent, isWeight, type Weights } from './weights.ts';

export const BASIC_PHASE = 15;
export const WEIGHED_PHASE = 6;
export const PHASES = [BASIC_PHASE, WEIGHED_PHASE] as const;

/**
 * Why a stored ticket cannot be processed, or null. What came through the API was checked there; other systems write to the table
 * as well.
 */
export function contentProblem(header: TicketKey, rawPayloadJson: string): string | null {
  if (!PHASES.some((phase) => phase === header.phaseCode)) return `phase ${header.phaseCode} is unknown`;
  const content = parseObject(rawPayloadJson);
  if (!content) return 'RawPayloadJson is no JSON object';
  for (const name of ['businessEntity', 'businessDocId', 'phaseCode'] as const) {
    const said = content[name.toLowerCase()];
    if (said !== undefined && !isSame(said, header[name])) {
      return `RawPayloadJson speaks of another ticket: its ${name} differs from the row's`;
    }
  }
  return header.phaseCode === WEIGHED_PHASE ? weightsProblem(content) : null;
}

function weightsProblem(content: LowerCased): string | null {
  const weights = {
    grossWeight: content.grossweight,
    tareWeight: content.tareweight,
    netWeight: content.netweight,
  };
  const wrong = Object.entries(weights).filter(([, value]) => !isWeight(value));
  if (wrong.length > 0) return `phase 6 needs ${wrong.map(([name]) => name).join(', ')} in kilograms`;
  return areConsistent(weights as Weights) ? null : 'netWeight is not grossWeight less tareWeight';
}

/** Members by lower-cased name: partners write them in any case. */
type LowerCased = Readonly<Record<string, unknown>>;

function parseObject(json: string): LowerCased | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}

function isSame(said: unknown, stored: string | number): boolean {
  return typeof said === 'string' && typeof stored === 'string'
    ? said.toLowerCase() === stored.toLowerCase()
    : said === stored;
}
