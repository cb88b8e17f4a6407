import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { type SqlRow, type SqlValue, varchar } from '@malote/persistence';

export type Values = Readonly<Record<string, unknown>>;

/** The columns of a table that hold what a partner says, by the names of the properties they hold. */
export class TableShape {
  constructor(
    readonly name: string,
    /** VARCHAR columns and their lengths. */
    private readonly texts: Readonly<Record<string, number>>,
    /** BIT columns. */
    private readonly flags: readonly string[],
  ) {}

  get properties(): string[] {
    return [...Object.keys(this.texts), ...this.flags];
  }

  get columns(): string[] {
    return this.properties.map(columnOf);
  }

  /** Parameters named after the columns. */
  parameters(values: Values): Record<string, SqlValue> {
    const texts = Object.entries(this.texts).map(([property, length]) => {
      const value = values[property];
      return [columnOf(property), varchar(typeof value === 'string' ? value : null, length)];
    });
    const flags = this.flags.map((property) => [columnOf(property), values[property] === true]);
    return Object.fromEntries([...texts, ...flags]) as Record<string, SqlValue>;
  }

  /** A BIT leaves SQL Server as a boolean and SQLite as a number. */
  fromRow(row: SqlRow): SqlRow {
    const flags = this.flags.map((property) => [property, Boolean(row[property])]);
    return { ...row, ...(Object.fromEntries(flags) as SqlRow) };
  }
}

export const COUNTERPARTIES = new TableShape('TB_COUNTERPARTIES', COUNTERPARTY_LENGTHS, ['isDeleted']);
export const ADDRESSES = new TableShape('TB_COUNTERPARTY_ADDRESSES', ADDRESS_LENGTHS, [
  'isMainAddress',
  'isDeleted',
]);
export const FISCAL_REFERENCES = new TableShape(
  'TB_COUNTERPARTY_FISCAL_REFERENCES',
  FISCAL_REFERENCE_LENGTHS,
  [],
);

/** Columns of `t`, each under the name of the property it holds. */
export function selected(properties: readonly string[]): string {
  return properties.map((property) => `t.${columnOf(property)} AS [${property}]`).join(', ');
}

function columnOf(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1);
}
