import { z } from 'zod';
import { columnTypeNames, type ColumnField } from '../../core/column.ts';
import { limits } from '../../core/limits.ts';
import { boundedText, maybe } from './field.ts';

const fields = {
  path: maybe(boundedText({ min: 0, max: limits.pathLength })).meta({
    description: 'Of a `path` column: `a.b[0]["c.d"]`.',
  }),
  defaultValue: maybe(boundedText({ min: 0, max: limits.defaultValueLength })).meta({
    description: 'Of a `path` column: used when the path does not exist.',
  }),
  rawString: maybe(z.boolean()).meta({ description: 'The text of a JSON string without its quotes.' }),
  template: maybe(
    z.object({ language: z.enum(['jsonnet']), content: boundedText({ min: 1, max: limits.templateLength }) }),
  ).meta({
    description: 'Of a `template` column: jsonnet, which sees the event through `Body`, `Header` and others.',
  }),
} satisfies Record<ColumnField, z.ZodType>;

/** A column as a client sends it. Which fields a type needs is checked later, in the order of the reference. */
export const columnBody = z
  .object({
    type: z.enum(columnTypeNames),
    name: z.string().meta({
      minLength: 1,
      maxLength: limits.columnNameLength,
      description: 'Unique within the mapping, case aside.',
    }),
    ...fields,
  })
  .meta({ id: 'ColumnBody' });

export type ColumnBody = z.output<typeof columnBody>;
