import type { Schemas } from '../client/api-client.ts';

interface Page<Item> {
  readonly page: Schemas['Page'];
  readonly items: readonly Item[];
}

/** Everything that a list of the API has; `read` answers the page that follows an id, at first that of no id. */
export async function allPages<Item>(
  read: (afterId: string | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let afterId: string | undefined; ;) {
    const { page, items } = await read(afterId);
    all.push(...items);
    if (items.length < page.limit) return all;
    afterId = page.lastId;
  }
}
