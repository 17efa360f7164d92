import { z } from 'zod';
import type { Mapping } from '../mapping.ts';
import { column, incarnation, positive, signal, tableId } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const schema: z.ZodType<Mapping> = z.object({
  incarnation,
  version: positive,
  tableId,
  columns: z.array(column),
  allowedSignals: z.array(signal),
});

/** A document of collection `mapping`; another shape is `catalog.invalidDocument`. */
export function parseMappingDocument(value: unknown): Mapping {
  return parseDocument('mapping', schema, value);
}
