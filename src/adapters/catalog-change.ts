import { MillraceError } from '../core/millrace-error.ts';
import type { CatalogWrite, Collection } from '../ports/catalog.ts';

/** One conditional write of a document. */
export interface CatalogChange {
  readonly collection: Collection;
  readonly id: string;
  /** Revision that the document must have; undefined: there must be none. */
  readonly expected: number | undefined;
  /** JSON text of the document; undefined removes it. */
  readonly json: string | undefined;
}

/** Characters of JSON. */
const maxDocumentLength = 16 * 1024 * 1024;

/** The write with its document as JSON; `input.invalid` when that is too large. */
export function writing({ collection, id, expected, value }: CatalogWrite): CatalogChange {
  const json = JSON.stringify(value);
  if (json.length <= maxDocumentLength) return { collection, id, expected, json };
  const message = `the document "${id}" of collection "${collection}" has ${json.length} characters of JSON, more than ${maxDocumentLength}`;
  throw new MillraceError('input.invalid', message, { details: { collection, id } });
}

/** `bounds`: what an id must have, "1 to 960". */
export function invalidId({ collection, id }: CatalogWrite, bounds: string): MillraceError {
  const message = `an id of collection "${collection}" has ${id.length} characters, it must have ${bounds}`;
  return new MillraceError('input.invalid', message, { details: { collection } });
}
