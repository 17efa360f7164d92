import { z } from 'zod';
import type { ImportedRange, ImportNote, NotedReplay } from '../core/import-note.ts';
import { count, incarnation, name, partitionKey, positive, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const range: z.ZodType<ImportedRange> = z.looseObject({
  partition: count,
  from: z.int().min(-1),
  to: count,
} satisfies FieldsOf<ImportedRange>);

const replay: z.ZodType<NotedReplay> = z.looseObject({
  id: name,
  letters: positive,
  offsets: z.record(partitionKey, z.array(count)),
} satisfies FieldsOf<NotedReplay>);

const schema: z.ZodType<ImportNote> = z.looseObject({
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
  storedRowBytes: count.exactOptional(),
  openedAt: z.number().exactOptional(),
  firstArrival: z.number().exactOptional(),
  lastArrival: z.number().exactOptional(),
  ranges: z.array(range).exactOptional(),
  replay: replay.exactOptional(),
} satisfies FieldsOf<ImportNote>);

/** Documents of collection `import-history`. */
export const importNoteDocuments = new DocumentKind<ImportNote>({ collection: 'import-history', schema });
