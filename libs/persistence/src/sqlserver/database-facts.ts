import { type ColumnModel } from '../schema/schema-model.ts';

/** What the server's catalogue says, or why it could not be asked. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string };

export interface Settings {
  readonly database: string;
  readonly compatibilityLevel: number | null;
  readonly readCommittedSnapshot: boolean;
}

export interface Trigger {
  readonly table: string;
  readonly name: string;
  /** INSERT, UPDATE or DELETE; undefined where the server does not say. */
  readonly event: string | undefined;
}

/** A procedure, function, trigger or view that was created with QUOTED_IDENTIFIER OFF. */
export interface OldModule {
  readonly name: string;
  readonly definition: string;
}

export interface FoundColumn extends Pick<ColumnModel, 'type' | 'nullable' | 'identity'> {
  readonly table: string;
  readonly name: string;
  /** Whether a row gets a value there that its INSERT does not name. */
  readonly fillsItself: boolean;
}

export interface FoundIndex {
  readonly table: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly filtered: boolean;
}

export interface DatabaseFacts {
  readonly settings: Fact<Settings>;
  readonly hasOpenJson: Fact<boolean>;
  readonly triggers: Fact<readonly Trigger[]>;
  readonly oldModules: Fact<readonly OldModule[]>;
  readonly columns: Fact<readonly FoundColumn[]>;
  readonly indexes: Fact<readonly FoundIndex[]>;
}
