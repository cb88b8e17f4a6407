/**
 * Whose fault a failure is. `target` is certain and never costs the message an attempt; `either` is the target's
 * only when several messages meet it; `message` burns the message's own attempts.
 */
export type Blame = 'target' | 'either' | 'message';

/** Whether the target may have acted on the request although it reported, or we saw, a failure. */
export type Processed = 'no' | 'maybe';

/** What came of handing one message over. */
export type Outcome<Receipt = unknown> =
  | {
      readonly kind: 'delivered';
      /** What the target answered; stored by the transaction that settles the message. */
      readonly receipt?: Receipt;
      /** The target had it before. */
      readonly alreadyProcessed?: true;
    }
  /** No failure: the target has more to do, or asks for patience. Burns no attempt and blocks nobody. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly reason: string }
  /** The answer was lost: whoever can ask the target must ask before sending again. */
  | {
      readonly kind: 'unknown';
      readonly blame: Exclude<Blame, 'message'>;
      readonly reason: string;
      readonly askAfterMs?: number;
    }
  | {
      readonly kind: 'failed';
      readonly blame: Blame;
      readonly reason: string;
      /** The same message would fail the same way again. */
      readonly final: boolean;
      /** `maybe` when left out: nothing is sent again on a guess. */
      readonly processed?: Processed;
      /** The target itself judged the request: it is up, whatever it said. */
      readonly answered?: true;
      /** The target asked to be left alone for so long. */
      readonly retryAfterMs?: number;
    };

/** What came of asking a target about a message it may have. A `failed` question says nothing about the message. */
export type Answer<Receipt = unknown> =
  | Outcome<Receipt>
  /** The target does not have it: it may be sent again. */
  | { readonly kind: 'absent'; readonly reason: string }
  /** The target has judged it and will never accept it. */
  | { readonly kind: 'refused'; readonly reason: string };

export const DELIVERED = { kind: 'delivered' } as const satisfies Outcome;

/** The message itself is wrong: sending it again, or sending it at all, is no use. */
export function refusal(reason: string): Outcome<never> {
  return { kind: 'failed', blame: 'message', reason, final: true, processed: 'no' };
}
