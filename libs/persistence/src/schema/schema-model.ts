/** A table as scripts and entities both describe it; SQL fragments are normalised by `sqlText`. */
export interface TableModel {
  readonly name: string;
  readonly columns: Map<string, ColumnModel>;
  readonly indexes: IndexModel[];
  readonly foreignKeys: ForeignKeyModel[];
  readonly checks: CheckModel[];
  primaryKey: { readonly name: string; readonly columns: readonly string[] } | undefined;
}

export interface ColumnModel {
  /** As in T-SQL, upper case: `VARCHAR(100)`. */
  readonly type: string;
  nullable: boolean;
  identity: boolean;
  byDefault: string | undefined;
}

/** A unique constraint is a unique index: they are told apart by nothing but the number of their error. */
export interface IndexModel {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly filter: string | undefined;
}

export interface ForeignKeyModel {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly referencedColumns: readonly string[];
  readonly onDelete: string;
}

export interface CheckModel {
  readonly name: string;
  readonly expression: string;
}

export function emptyTable(name: string): TableModel {
  return { name, columns: new Map(), indexes: [], foreignKeys: [], checks: [], primaryKey: undefined };
}

/** One line for each thing that can disagree: what it is, and how it is defined. */
export function factsOf(table: TableModel): Map<string, string> {
  const facts = new Map<string, string>();
  const { primaryKey } = table;
  for (const [name, column] of table.columns) facts.set(`column ${name}`, columnText(column));
  if (primaryKey) facts.set('primary key', `${primaryKey.name} (${primaryKey.columns.join(', ')})`);
  for (const { name, unique, columns, filter } of table.indexes) {
    const where = filter === undefined ? '' : ` WHERE ${filter}`;
    facts.set(`index ${name}`, `${unique ? 'UNIQUE ' : ''}(${columns.join(', ')})${where}`);
  }
  for (const key of table.foreignKeys) {
    facts.set(
      `foreign key ${key.name}`,
      `(${key.columns.join(', ')}) REFERENCES ${key.table} (${key.referencedColumns.join(', ')}) ON DELETE ${key.onDelete}`,
    );
  }
  for (const { name, expression } of table.checks) facts.set(`check ${name}`, expression);
  return facts;
}

/** As in T-SQL: `VARCHAR(20) NOT NULL`. */
export function columnText({ type, identity, nullable, byDefault }: ColumnModel): string {
  return [
    type,
    ...(identity ? ['IDENTITY'] : []),
    nullable ? 'NULL' : 'NOT NULL',
    ...(byDefault === undefined ? [] : [`DEFAULT ${byDefault}`]),
  ].join(' ');
}
