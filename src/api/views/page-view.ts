import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { PageQuery } from '../schemas/page-query.ts';

export const pageSchema = z
  .object({ limit: z.int(), totalCount: z.int(), afterId: z.string(), lastId: z.string() })
  .meta({ id: 'Page' });

type PageView = z.input<typeof pageSchema>;

export interface Paged<Item> {
  readonly page: PageView;
  readonly items: readonly Item[];
}

/** The page of `all` (ascending by id) that the query asks for. */
export function paginate<Item>(
  all: readonly Item[],
  { afterId = '', limit = limits.listPage }: PageQuery,
  idOf: (item: Item) => string,
): Paged<Item> {
  const items = all.filter((item) => afterId === '' || idOf(item) > afterId).slice(0, limit);
  const last = items.at(-1);
  return { page: { limit, totalCount: all.length, afterId, lastId: last === undefined ? '' : idOf(last) }, items };
}
