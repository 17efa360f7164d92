import { z } from 'zod';
import { sourceTypes, type Source } from '../source.ts';
import {
  branchId,
  deleted,
  disabled,
  name,
  positive,
  settings,
  sourceId,
  stamp,
  tableId,
  text,
  version,
} from './fields.ts';
import { parseDocument } from './parse-document.ts';

const schema: z.ZodType<Source> = z.object({
  branchId,
  sourceId,
  type: z.enum(sourceTypes),
  name: text,
  description: text,
  secrets: z.array(z.object({ text: name, validUntil: z.number().exactOptional() })),
  settings,
  version,
  created: stamp,
  disabled: disabled.exactOptional(),
  deleted: deleted.exactOptional(),
  erased: z
    .object({ tables: z.array(z.object({ tableId, identity: text.exactOptional() })), isDone: z.boolean() })
    .exactOptional(),
  topic: name,
  topicIdentity: name,
  partitions: positive,
  incarnation: positive,
  retired: z.array(z.object({ name, identity: name })).exactOptional(),
});

/** A document of collection `source`; another shape is `catalog.invalidDocument`. */
export function parseSourceDocument(value: unknown): Source {
  return parseDocument('source', schema, value);
}
