import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export const MAX_PAGE = 200;

/** What every list takes beside its filters. */
export class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  limit = 50;

  /** `next` of the page before, as it came. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly next?: string;
}

/**
 * A page of a list that is read by position: pages neither overlap nor skip, whatever is added meanwhile. `read` gets the position
 * to go on after and how many rows to fetch (one more than the page shows, to know whether there is a next one).
 */
export async function pageOf<T>(
  list: string,
  { limit, cursor, ...filters }: PageQuery,
  position: (item: T) => string,
  read: (after: string | undefined, count: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const seal = sealOf(list, filters);
  const rows = await read(cursor === undefined ? undefined : openCursor(cursor, seal), limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items };
  return { items, next: Buffer.from(`${position(last)}.${seal}`).toString('base64url') };
}

/** A cursor goes with its list and its filters; with others it would skip rows in silence. */
function sealOf(list: string, filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([list, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function openCursor(cursor: string, seal: string): string {
  const [position = '', sealed] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  // The seal is no secret: a forged position must still be one the database can read.
  if (sealed === seal && /^\d{1,18}$/.test(position)) return position;
  const message = 'The cursor does not belong to this list and these filters';
  const fields = [{ pointer: '/cursor', code: 'invalid-cursor', message }];
  throw new AppError('invalid', 'invalid-cursor', message, { fields });
}
