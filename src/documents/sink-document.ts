import { z } from 'zod';
import { tableType, type Sink } from '../core/sink.ts';
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
  type FieldsOf,
} from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const schema: z.ZodType<Sink> = z.looseObject({
  branchId,
  sourceId,
  sinkId,
  type: z.literal('table'),
  name: text,
  description: text,
  allowedSignals: z.array(signal),
  table: z.looseObject({ type: z.literal(tableType), tableId, columns: z.array(column) }),
  settings,
  version,
  created: stamp,
  disabled: disabled.exactOptional(),
  deleted: deleted.exactOptional(),
  incarnation,
  mappingVersion: positive,
  returnsWith: positive.exactOptional(),
  tokenId: name.exactOptional(),
} satisfies FieldsOf<Sink>);

/** Documents of collection `sink`. */
export const sinkDocuments = new DocumentKind<Sink>({ collection: 'sink', schema });
