import { type EntityClass } from '../database.ts';
import { readScripts, type SchemaScript } from '../schema-scripts.ts';
import { readEntities } from './entity-reader.ts';
import { factsOf } from '../schema/schema-model.ts';
import { readTables } from './script-reader.ts';
import { SCRIPTS_FOLDER } from './scripts-folder.ts';

/** Every point on which the entities' tables and the scripts disagree, in words; empty when they describe the same. */
export async function compareWithEntities(
  entities: readonly EntityClass[],
  scripts: readonly SchemaScript[] = readScripts(SCRIPTS_FOLDER),
): Promise<string[]> {
  const scripted = readTables(scripts);
  const described = await readEntities(entities);
  return described.flatMap((entity) => {
    const table = scripted.get(entity.name);
    if (!table) return [`${entity.name}: no script creates it`];
    return compareFacts(entity.name, factsOf(table), factsOf(entity));
  });
}

function compareFacts(
  table: string,
  script: ReadonlyMap<string, string>,
  entity: ReadonlyMap<string, string>,
): string[] {
  const things = [...new Set([...script.keys(), ...entity.keys()])];
  return things
    .filter((thing) => script.get(thing) !== entity.get(thing))
    .map((thing) => {
      const said = (facts: ReadonlyMap<string, string>) => facts.get(thing) ?? 'nothing';
      return `${table}, ${thing}: the script says ${said(script)}, the entity ${said(entity)}`;
    });
}
