import { getMetadataArgsStorage } from 'typeorm';
import { type EntityClass } from '@malote/persistence';
import { type Lane } from './lane.ts';
import { AskableOutboxEntity } from './outbox.entity.ts';

interface IndexNeed {
  readonly purpose: string;
  readonly begins: readonly string[];
  readonly filter: readonly string[];
  readonly isUnique?: true;
}

/**
 * Throws when a lane's table is not among the entities of the service, or lacks what the lane's statements need: a lane that was
 * declared in part would otherwise fail, or crawl, one statement at a time.
 */
export function checkLaneTable(lane: Lane, entities: readonly EntityClass[]): void {
  const storage = getMetadataArgsStorage();
  const entity = entities.find((candidate) =>
    storage.tables.some(({ target, name }) => target === candidate && name === lane.table),
  );
  if (!entity) throw new Error(`Lane ${lane.name}: no entity of this service is the table ${lane.table}`);
  const family = familyOf(entity);
  const columns = new Set(
    storage.columns
      .filter(({ target }) => family.includes(target))
      .map(({ propertyName, options }) => options.name ?? pascal(propertyName)),
  );
  if (!lane.doubt && family.includes(AskableOutboxEntity))
    throw new Error(`Lane ${lane.name}: ${lane.table} remembers what is in doubt, and the lane does not`);
  const missing = columnsOf(lane).filter((column) => !columns.has(column));
  if (missing.length > 0)
    throw new Error(`Lane ${lane.name}: the entity of ${lane.table} has no ${missing.join(', ')}`);
  const indexes = storage.indices
    .filter(({ target }) => family.includes(target))
    .map(({ columns: names, where, unique }) => ({
      columns: Array.isArray(names) ? names.map(pascal) : [],
      filter: conditionsIn(where),
      isUnique: unique === true,
    }));
  const ofItsRows = new Set(ownConditions(lane));
  for (const { purpose, begins, filter, isUnique = false } of indexesOf(lane)) {
    const isThere = indexes.some(
      (index) =>
        begins.every((column, n) => index.columns[n] === column) &&
        filter.every((condition) => index.filter.includes(condition)) &&
        index.filter.every((condition) => filter.includes(condition) || ofItsRows.has(condition)) &&
        (index.isUnique || !isUnique),
    );
    if (isThere) continue;
    const where = filter.length === 0 ? '' : ` WHERE ${filter.join(' AND ')}`;
    throw new Error(
      `Lane ${lane.name}: ${lane.table} has no ${isUnique ? 'unique ' : ''}index for ${purpose}: (${begins.join(', ')})${where}`,
    );
  }
}

/** What all of a lane's statements say of its rows: the filter of an index may say it as well. */
function ownConditions({ filter, canBecomeDue }: Lane): string[] {
  const row = 'candidate';
  return [filter, canBecomeDue].flatMap((condition) =>
    conditionsIn(condition?.(row).replaceAll(`${row}.`, '')),
  );
}

function conditionsIn(where: string | undefined): string[] {
  return where === undefined ? [] : where.split(' AND ').map((condition) => condition.trim());
}

function columnsOf({ columns, doubt, target, messageKey, orderKey, payload }: Lane): string[] {
  const own: readonly (string | null)[] = Object.values<string | null>({ ...columns });
  const ofDoubt: readonly string[] = Object.values<string>({ ...doubt });
  const named = [...own, ...ofDoubt, target, messageKey, orderKey].filter((name) => name !== null);
  return ['Id', 'CreatedAt', 'TraceParent', ...payload, ...named];
}

function indexesOf({ columns: c, states, target, messageKey, orderKey, purges }: Lane): IndexNeed[] {
  const unfinished = `${c.status} <> '${states.done}'`;
  const needs: IndexNeed[] = [
    {
      purpose: 'rows that are due',
      begins: [...(target ? [target] : []), c.nextAttemptAt, 'Id', c.status, 'CreatedAt'],
      filter: [`${c.nextAttemptAt} IS NOT NULL`, unfinished],
    },
    {
      purpose: 'rows that are parked or dead',
      begins: [c.status, 'Id', 'CreatedAt', c.nextAttemptAt, c.discardedAt],
      filter: [`${c.nextAttemptAt} IS NULL`, unfinished, `${c.discardedAt} IS NULL`],
    },
  ];
  if (purges) needs.push({ purpose: 'what is purged', begins: [c.status, 'CreatedAt'], filter: [] });
  if (messageKey) {
    const filter = [`${messageKey} IS NOT NULL`];
    needs.push({ purpose: 'message keys', begins: [messageKey], filter, isUnique: true });
  }
  if (orderKey) {
    const filter = [`${orderKey} IS NOT NULL`, unfinished];
    needs.push({ purpose: 'order keys', begins: [orderKey, 'Id', c.discardedAt], filter });
  }
  return needs;
}

/** The class and those it extends: each declares some of the columns. */
function familyOf(entity: EntityClass): unknown[] {
  const family: unknown[] = [];
  for (let one: unknown = entity; typeof one === 'function'; one = Object.getPrototypeOf(one))
    family.push(one);
  return family;
}

function pascal(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1);
}
