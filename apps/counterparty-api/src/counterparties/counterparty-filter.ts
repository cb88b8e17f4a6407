import { formatTaxId, normaliseTaxId } from '@malote/brazil';
import { COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from '@malote/counterparties';
import { type Dialect, type SqlParameters, type SqlValue, varchar } from '@malote/persistence';
import { FISCAL_REFERENCES } from './counterparty-tables.ts';
import { type CounterpartyFilters } from './counterparty.ts';

/** The condition on `t` that the filters stand for. */
export function conditionOf(
  dialect: Dialect,
  { businessEntity, isDeleted, entityType, counterpartyId, fiscalNumber }: CounterpartyFilters,
): { readonly condition: string; readonly parameters: SqlParameters } {
  const conditions = ['t.BusinessEntity = @businessEntity'];
  const parameters: Record<string, SqlValue> = {
    businessEntity: varchar(businessEntity, COUNTERPARTY_LENGTHS.businessEntity),
  };
  if (isDeleted !== undefined) {
    conditions.push('t.IsDeleted = @isDeleted');
    parameters.isDeleted = isDeleted;
  }
  if (entityType !== undefined) {
    conditions.push('t.EntityType = @entityType');
    parameters.entityType = varchar(entityType, COUNTERPARTY_LENGTHS.entityType);
  }
  if (counterpartyId !== undefined) {
    conditions.push('t.CounterpartyId IS NOT NULL AND t.CounterpartyId = @counterpartyId');
    parameters.counterpartyId = varchar(counterpartyId, COUNTERPARTY_LENGTHS.counterpartyId);
  }
  if (fiscalNumber !== undefined) {
    const spellings = Object.entries(spellingsOf(fiscalNumber));
    conditions.push(
      `EXISTS (SELECT 1 FROM ${dialect.table(FISCAL_REFERENCES.name)} AS f WHERE f.CounterpartyIdFk = t.Id ` +
        `AND f.FiscalNumber IN (${spellings.map(([name]) => `@${name}`).join(', ')}))`,
    );
    for (const [name, text] of spellings) {
      parameters[name] = varchar(text, FISCAL_REFERENCE_LENGTHS.fiscalNumber);
    }
  }
  return { condition: conditions.join(' AND '), parameters };
}

/** Numbers are kept as they were sent, so a tax id is looked for both ways. */
function spellingsOf(fiscalNumber: string) {
  return {
    asGiven: fiscalNumber,
    bare: normaliseTaxId(fiscalNumber) ?? fiscalNumber,
    masked: formatTaxId(fiscalNumber) ?? fiscalNumber,
  };
}
