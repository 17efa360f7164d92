import { z } from 'zod';
import type { SinkStatus } from '../core/sink-status.ts';
import { count, incarnation, name, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const schema: z.ZodType<SinkStatus> = z.looseObject({
  incarnation,
  role: z.enum(['map', 'stage', 'import']),
  code: name,
  message: text,
  since: name,
  lastTryAt: name,
  nextTryAt: name,
  attempts: count,
  partitions: z.array(count).readonly().exactOptional(),
} satisfies FieldsOf<SinkStatus>);

/** Documents of collection `sink-status`. */
export const sinkStatusDocuments = new DocumentKind<SinkStatus>({ collection: 'sink-status', schema });
