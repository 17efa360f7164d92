import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { changeDocument } from './change-document.ts';
import { counterDocuments, type Counter } from './counter-document.ts';

export interface NumberRequest {
  /** Of the counter, in collection `meta`. */
  readonly id: string;
  readonly first: number;
  /** Unique to the call. */
  readonly taker: string;
}

/** Takes the next number of a counter; a number is never given twice, one may be given to nobody. */
export async function takeNumber(
  catalog: Catalog,
  { id, first, taker }: NumberRequest,
  options: Waiting,
): Promise<number> {
  const change = (before: Counter | undefined): Counter => ({
    ...before,
    last: before === undefined ? first : before.last + 1,
    taker,
  });
  const after = await changeDocument(catalog, { kind: counterDocuments, id, change }, options);
  return after?.value.last ?? first;
}
