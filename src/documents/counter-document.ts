import { z } from 'zod';
import { parseIncarnation, type Incarnation } from '../core/ids.ts';
import { DocumentKind } from './document-kind.ts';
import type { FieldsOf } from './fields.ts';

/** A counter of the collection `meta`. */
export interface Counter {
  readonly last: number;
  /** Who took the last number: after an unclear answer it tells our own success from somebody else's. */
  readonly taker: string;
}

const schema: z.ZodType<Counter> = z.looseObject({
  last: z.int().min(0),
  taker: z.string(),
} satisfies FieldsOf<Counter>);

/** Documents of collection `meta`. */
export const counterDocuments = new DocumentKind<Counter>({ collection: 'meta', schema });

/** Id of the counter of incarnations. Number 1 needs none: it is the first existence of every source. */
export const incarnationCounter = 'incarnation';

/** Id of the counter of jobs. */
export const jobCounter = 'job';

/** The highest incarnation that a catalog has handed out, given its counter, which is undefined before the first. */
export function lastIncarnation(counter: unknown): Incarnation {
  return parseIncarnation(counter === undefined ? 1 : Math.max(1, counterDocuments.parse(counter).last));
}
