import { incarnationCounter } from '../../documents/counter-document.ts';
import { takeNumber } from '../../documents/take-number.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/**
 * The next incarnation of the installation, from 2: number 1 is the first existence of every source, whose topic has no
 * number in its name. `taker` is unique to the call.
 */
export async function takeIncarnation(catalog: Catalog, taker: string, options: Waiting): Promise<Incarnation> {
  return parseIncarnation(await takeNumber(catalog, { id: incarnationCounter, first: 2, taker }, options));
}

/** The id of the next token, from 2: number 1 is the root token. `taker` is unique to the call. */
export async function takeTokenId(catalog: Catalog, taker: string, options: Waiting): Promise<string> {
  return String(await takeNumber(catalog, { id: 'token', first: 2, taker }, options));
}

/** A number for a configuration, or for a row of one, that was given no id. `taker` is unique to the call. */
export function takeConfigurationNumber(catalog: Catalog, taker: string, options: Waiting): Promise<number> {
  return takeNumber(catalog, { id: 'configuration', first: 1, taker }, options);
}
