import { AppError } from '@malote/app-error';
import { type Dialect, type SqlValue, varchar } from '@malote/persistence';
import { type Lane } from '../lane/lane.ts';

/** Which rows of a lane an operator means. */
export interface RowFilter {
  readonly ids?: readonly string[];
  readonly target?: string;
  readonly createdFrom?: Date;
  /** Not included itself. */
  readonly createdTo?: Date;
  readonly errorContains?: string;
}

export interface RowConditions {
  /** To be put after another condition on `t`; begins with AND, or is empty. */
  readonly and: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
}

export function rowConditions(lane: Lane, dialect: Dialect, filter: RowFilter): RowConditions {
  const { ids, target, createdFrom, createdTo, errorContains } = filter;
  const parameters: Record<string, SqlValue> = {};
  let and = '';
  const add = (name: string, value: SqlValue, condition: string) => {
    parameters[name] = value;
    and += ` AND ${condition}`;
  };
  if (ids) {
    const rows = dialect.jsonRows('ids', { Id: 'bigint' });
    add('ids', JSON.stringify(ids.map((Id) => ({ Id }))), `t.Id IN (SELECT j.Id FROM ${rows} AS j)`);
  }
  if (target !== undefined) add('target', varchar(target, 500), `t.${targetColumn(lane)} = @target`);
  if (createdFrom) add('createdFrom', createdFrom, 't.CreatedAt >= @createdFrom');
  if (createdTo) add('createdTo', createdTo, 't.CreatedAt < @createdTo');
  if (errorContains !== undefined) {
    add('error', containing(errorContains), `t.${lane.columns.lastError} LIKE @error ESCAPE '\\'`);
  }
  return { and, parameters };
}

/** To pass over a condition the lane cannot check would select every row instead of few. */
function targetColumn({ name, target }: Lane): string {
  if (target) return target;
  throw new AppError('invalid', 'lane-has-no-target', `${name} delivers to no target`);
}

/**
 * The text itself, whatever signs it has in it. A letter beyond ASCII stands for any one character: the engines disagree on
 * whether its two cases are the same.
 */
function containing(text: string): string {
  return `%${text.replace(/[[%_\\]/g, '\\$&').replace(/[^\x00-\x7f]/g, '_')}%`;
}
