import { createHash } from 'node:crypto';

export type LetterKind = 'ack' | 'return' | 'ticket';

/** The fields the gateway looks at; those of the wrong type count as missing. */
export interface DocumentFields {
  readonly businessEntity?: string | undefined;
  readonly businessDocId?: string | undefined;
  readonly phaseCode?: number | undefined;
}

/** A document in one of its two phases. */
export type PhasedDocument = { readonly [Name in keyof DocumentFields]-?: NonNullable<DocumentFields[Name]> };

/** Something that was put into the gateway's letter box. */
export interface Letter {
  readonly kind: LetterKind;
  readonly digest: string;
  /** Undefined for a body that is no JSON object. */
  readonly fields: DocumentFields | undefined;
}

const PHASES = [15, 6];

export function readLetter(kind: LetterKind, body: Buffer): Letter {
  return { kind, digest: createHash('sha256').update(body).digest('hex'), fields: readFields(body) };
}

/** The document a ticket or a return is about; undefined when a field is missing. */
export function documentOf({ fields }: Letter): PhasedDocument | undefined {
  const { businessEntity, businessDocId, phaseCode } = fields ?? {};
  if (businessEntity === undefined || businessDocId === undefined || phaseCode === undefined)
    return undefined;
  return { businessEntity, businessDocId, phaseCode };
}

function readFields(body: Buffer): DocumentFields | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const { businessEntity, businessDocId, phaseCode } = parsed as Readonly<Record<string, unknown>>;
  return {
    businessEntity: textOrNothing(businessEntity),
    businessDocId: textOrNothing(businessDocId),
    phaseCode: typeof phaseCode === 'number' && PHASES.includes(phaseCode) ? phaseCode : undefined,
  };
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
