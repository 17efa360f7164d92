import { incarnationCounter, counterDocuments, type Counter } from '../../documents/counter-document.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { changeDocument } from '../../documents/change-document.ts';

/** Takes the next number of a counter in collection `meta`; a number is never given twice, one may be given to nobody. */
async function take(
  catalog: Catalog,
  { id, first, taker }: { readonly id: string; readonly first: number; readonly taker: string },
  options: Waiting,
): Promise<number> {
  const after = await changeDocument<Counter>(
    catalog,
    {
      kind: counterDocuments,
      id,
      change: (before) => ({ ...before, last: before === undefined ? first : before.last + 1, taker }),
    },
    options,
  );
  return after?.value.last ?? first;
}

/**
 * The next incarnation of the installation, from 2: number 1 is the first existence of every source, whose topic has no
 * number in its name. `taker` is unique to the call.
 */
export async function takeIncarnation(catalog: Catalog, taker: string, options: Waiting): Promise<Incarnation> {
  return parseIncarnation(await take(catalog, { id: incarnationCounter, first: 2, taker }, options));
}

/** The id of the next token, from 2: number 1 is the root token. `taker` is unique to the call. */
export async function takeTokenId(catalog: Catalog, taker: string, options: Waiting): Promise<string> {
  return String(await take(catalog, { id: 'token', first: 2, taker }, options));
}
