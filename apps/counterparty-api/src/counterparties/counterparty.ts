import {
  type ADDRESS_LENGTHS,
  type COUNTERPARTY_LENGTHS,
  type FISCAL_REFERENCE_LENGTHS,
} from '@malote/counterparties';

/** One property for each VARCHAR column. */
export type Texts<Lengths> = { readonly [Name in keyof Lengths]: string | null };

export type Address = Texts<typeof ADDRESS_LENGTHS> & {
  readonly isMainAddress: boolean;
  readonly isDeleted: boolean;
};

export type FiscalReference = Texts<typeof FISCAL_REFERENCE_LENGTHS>;

/** What a partner sends, in full: what it does not say is null. */
export type Counterparty = Texts<typeof COUNTERPARTY_LENGTHS> & {
  readonly businessDocId: string;
  readonly status: string;
  readonly isDeleted: boolean;
  readonly addresses: readonly Address[];
  readonly fiscalReferences: readonly FiscalReference[];
};

export type StoredCounterparty = Counterparty & {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
};

export type SavedCounterparty = StoredCounterparty & { readonly outcome: 'created' | 'updated' };

export type CounterpartyWithPayload = StoredCounterparty & {
  /** The body of the last request, as it came. */
  readonly rawPayload: string | null;
};

export interface CounterpartyFilters {
  readonly businessEntity: string;
  readonly isDeleted?: boolean | undefined;
  readonly entityType?: string | undefined;
  readonly counterpartyId?: string | undefined;
  readonly fiscalNumber?: string | undefined;
}
