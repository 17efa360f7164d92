import { z } from 'zod';
import type { SinkStatus } from '../sink-status.ts';
import { count, incarnation, name, text } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const schema: z.ZodType<SinkStatus> = z.object({
  incarnation,
  role: z.enum(['map', 'stage', 'import']),
  code: name,
  message: text,
  since: name,
  lastTryAt: name,
  nextTryAt: name,
  attempts: count,
  partitions: z.array(count).readonly().exactOptional(),
});

/** A document of collection `sink-status`; another shape is `catalog.invalidDocument`. */
export function parseSinkStatusDocument(value: unknown): SinkStatus {
  return parseDocument('sink-status', schema, value);
}
