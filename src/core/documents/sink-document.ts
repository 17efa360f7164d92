import { z } from 'zod';
import type { Sink } from '../sink.ts';
import {
  branchId,
  column,
  deleted,
  disabled,
  incarnation,
  name,
  positive,
  settings,
  signal,
  sinkId,
  sourceId,
  stamp,
  tableId,
  text,
  version,
} from './fields.ts';
import { parseDocument } from './parse-document.ts';

const schema: z.ZodType<Sink> = z.object({
  branchId,
  sourceId,
  sinkId,
  type: z.literal('table'),
  name: text,
  description: text,
  allowedSignals: z.array(signal),
  table: z.object({ type: z.literal('keboola'), tableId, columns: z.array(column) }),
  settings,
  version,
  created: stamp,
  disabled: disabled.exactOptional(),
  deleted: deleted.exactOptional(),
  incarnation,
  mappingVersion: positive,
  returnsWith: positive.exactOptional(),
  tokenId: name.exactOptional(),
});

/** A document of collection `sink`; another shape is `catalog.invalidDocument`. */
export function parseSinkDocument(value: unknown): Sink {
  return parseDocument('sink', schema, value);
}
