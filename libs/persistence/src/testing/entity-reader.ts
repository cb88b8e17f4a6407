import mssql from 'mssql';
import { DataSource } from 'typeorm';
import { type EntityClass } from '../database.ts';
import { PascalColumns } from '../pascal-columns.ts';
import { tableOf } from '../schema/entity-table.ts';
import { type TableModel } from '../schema/schema-model.ts';

/** What the entities say about their tables, in SQL Server's terms. */
export async function readEntities(entities: readonly EntityClass[]): Promise<TableModel[]> {
  const source = new UnconnectedDataSource(entities);
  await source.buildMetadatas();
  return source.entityMetadatas.map(tableOf);
}

class UnconnectedDataSource extends DataSource {
  constructor(entities: readonly EntityClass[]) {
    super({
      type: 'mssql',
      driver: mssql,
      entities: [...entities],
      namingStrategy: new PascalColumns(),
    });
  }

  override buildMetadatas(): Promise<void> {
    return super.buildMetadatas();
  }
}
