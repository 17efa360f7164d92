import { z } from 'zod';
import { sourceTypes, type Source } from '../core/source.ts';
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
  type FieldsOf,
} from './fields.ts';
import { sourceDocumentId } from './document-id.ts';
import { DocumentKind } from './document-kind.ts';

const schema: z.ZodType<Source> = z.looseObject({
  branchId,
  sourceId,
  type: z.enum(sourceTypes),
  name: text,
  description: text,
  secrets: z.array(z.looseObject({ text: name, validUntil: z.number().exactOptional() })),
  settings,
  version,
  created: stamp,
  disabled: disabled.exactOptional(),
  deleted: deleted.exactOptional(),
  erased: z
    .looseObject({ tables: z.array(z.looseObject({ tableId, identity: text.exactOptional() })), isDone: z.boolean() })
    .exactOptional(),
  topic: name,
  topicIdentity: name,
  partitions: positive,
  incarnation: positive,
  retired: z.array(z.looseObject({ name, identity: name })).exactOptional(),
} satisfies FieldsOf<Source>);

/** Documents of collection `source`. */
export const sourceDocuments = new DocumentKind<Source>({ collection: 'source', schema, idOf: sourceDocumentId });
