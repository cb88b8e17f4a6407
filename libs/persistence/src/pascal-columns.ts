import { DefaultNamingStrategy } from 'typeorm';

/** The tables' columns are `BusinessDocId`, the code's properties `businessDocId`. */
export class PascalColumns extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return custom ?? super.columnName(property.charAt(0).toUpperCase() + property.slice(1), '', prefixes);
  }
}
