import { z } from 'zod';
import type { Mapping } from '../core/mapping.ts';
import { column, incarnation, positive, signal, tableId, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const schema: z.ZodType<Mapping> = z.looseObject({
  incarnation,
  version: positive,
  tableId,
  columns: z.array(column),
  allowedSignals: z.array(signal),
  follows: positive.exactOptional(),
  altered: z.looseObject({ renamed: z.array(z.looseObject({ from: z.string(), to: z.string() })) }).exactOptional(),
} satisfies FieldsOf<Mapping>);

/** Documents of collection `mapping`. */
export const mappingDocuments = new DocumentKind<Mapping>({ collection: 'mapping', schema });
