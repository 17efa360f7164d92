import { z } from 'zod';
import {
  columnTypeNames,
  fieldsOfType,
  type Column,
  type ColumnField,
  type ColumnFields,
  type ColumnType,
  type Presence,
} from './column.ts';

export interface ColumnParts {
  readonly name: z.ZodType<string>;
  readonly fields: { readonly [F in ColumnField]: z.ZodType<ColumnFields[F]> };
  /** What becomes of fields that its type does not have. */
  readonly object: (shape: z.core.$ZodLooseShape) => z.ZodObject;
}

/** Reads a column that has exactly the fields of its type; their schemas are those of the place where it is read. */
export function columnSchemaOf(parts: ColumnParts): z.ZodType<Column> {
  const [first, ...others] = columnTypeNames.map((type) => schemaOfType(type, parts));
  if (first === undefined) return z.never();
  return z.discriminatedUnion('type', [first, ...others]) as unknown as z.ZodType<Column>;
}

function schemaOfType(type: ColumnType, { name, fields, object }: ColumnParts): z.ZodObject {
  const own = fieldsOfType(type).map(([field, presence]) => [field, withPresence(fields[field], presence)] as const);
  return object({ type: z.literal(type), name, ...Object.fromEntries(own) });
}

function withPresence(schema: z.ZodType, presence: Presence): z.ZodType {
  switch (presence) {
    case 'needed':
      return schema;
    case 'optional':
      return schema.exactOptional();
    case 'flag':
      return schema.default(false);
    default:
      return presence satisfies never;
  }
}
