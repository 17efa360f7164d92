import { z } from 'zod';
import { parseDocument } from '../../core/documents/parse-document.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { changeDocument } from './change-document.ts';

interface Counter {
  readonly last: number;
  /** Who took the last number: an unclear answer is told from another's success by it. */
  readonly taker: string;
}

const schema: z.ZodType<Counter> = z.object({ last: z.int().min(0), taker: z.string() });

/** Takes the next number of a counter in collection `meta`; a number is never given twice, one may be given to nobody. */
async function take(
  catalog: Catalog,
  { id, first, taker }: { readonly id: string; readonly first: number; readonly taker: string },
  options: Waiting,
): Promise<number> {
  const after = await changeDocument<Counter>(
    catalog,
    {
      collection: 'meta',
      id,
      parse: (value) => parseDocument('meta', schema, value),
      change: (before) => ({ last: before === undefined ? first : before.last + 1, taker }),
    },
    options,
  );
  return after?.last ?? first;
}

/**
 * The next incarnation of the installation, from 2: number 1 is the first existence of every source, whose topic has no
 * number in its name. `taker` is unique to the call.
 */
export async function takeIncarnation(catalog: Catalog, taker: string, options: Waiting): Promise<Incarnation> {
  return parseIncarnation(await take(catalog, { id: 'incarnation', first: 2, taker }, options));
}

/** The id of the next token, from 2: number 1 is the root token. `taker` is unique to the call. */
export async function takeTokenId(catalog: Catalog, taker: string, options: Waiting): Promise<string> {
  return String(await take(catalog, { id: 'token', first: 2, taker }, options));
}
