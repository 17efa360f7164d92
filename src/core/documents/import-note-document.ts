import { z } from 'zod';
import type { ImportNote } from '../import-note.ts';
import { count, incarnation, name, positive } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const schema: z.ZodType<ImportNote> = z.object({
  incarnation,
  number: positive,
  id: name,
  verdict: z.enum(['loaded', 'abandoned']),
  rows: count,
  dead: count,
  slices: count,
  bytes: count,
  mappingVersion: count,
  startedAt: z.number(),
  finishedAt: z.number(),
  durationMs: count,
  rowBytes: count.exactOptional(),
  firstArrival: z.number().exactOptional(),
  lastArrival: z.number().exactOptional(),
});

/** A document of collection `import-history`; another shape is `catalog.invalidDocument`. */
export function parseImportNoteDocument(value: unknown): ImportNote {
  return parseDocument('import-history', schema, value);
}
