import { randomUUID } from 'node:crypto';
import { type Verdict } from '../faults/serve.ts';
import { documentOf, type Letter, type LetterKind, type PhasedDocument } from './letter.ts';
import { accepted, duplicate, refused } from './verdicts.ts';

interface Accepted {
  readonly kind: LetterKind;
  readonly digest: string;
  readonly receiptId: string;
}

/** What the gateway has accepted, and the rules that follow from it. */
export class GatewayMemory {
  private readonly acceptedByKey = new Map<string, Accepted>();
  private readonly documents = new Set<string>();
  private readonly attempts = new Map<string, number>();

  countAttempt(key: string): number {
    const attempt = (this.attempts.get(key) ?? 0) + 1;
    this.attempts.set(key, attempt);
    return attempt;
  }

  /** Decides on a letter, and remembers it when it is accepted. */
  judge(key: string, letter: Letter): Verdict {
    const { kind, digest, fields } = letter;
    if (!fields) return refused('no-json-object');
    const document = documentOf(letter);
    const isComplete = kind === 'ack' ? fields.businessDocId !== undefined : document !== undefined;
    if (!isComplete) return refused('missing-fields');

    const earlier = this.acceptedByKey.get(key);
    if (earlier) {
      const isSame = earlier.kind === kind && earlier.digest === digest;
      return isSame ? duplicate(earlier.receiptId) : refused('key-reused');
    }
    if (kind !== 'ack' && document) {
      if (this.knows(kind, document)) return refused('sent-under-another-key');
      if (document.phaseCode === 6 && !this.knows(kind, { ...document, phaseCode: 15 })) {
        return refused('phase-15-missing');
      }
      this.documents.add(nameOf(kind, document));
    }
    const receiptId = randomUUID();
    this.acceptedByKey.set(key, { kind, digest, receiptId });
    return accepted(receiptId);
  }

  forget(): void {
    this.acceptedByKey.clear();
    this.documents.clear();
    this.attempts.clear();
  }

  private knows(kind: LetterKind, document: PhasedDocument): boolean {
    return this.documents.has(nameOf(kind, document));
  }
}

function nameOf(kind: LetterKind, { businessEntity, businessDocId, phaseCode }: PhasedDocument): string {
  return JSON.stringify([kind, businessEntity, businessDocId, phaseCode]);
}
