import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { columnSchemaOf, type ColumnParts } from '../../core/column-schema.ts';
import type { Column, ColumnField, ColumnInput } from '../../core/column.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { templateFault } from '../../mapping/jsonnet-templates.ts';
import { parsePath } from '../../mapping/path.ts';
import { columnText, parseColumn } from '../sink/parse-column.ts';
import { boundedText } from './declared-text.ts';

const name = boundedText({ min: 1, max: limits.columnNameLength });

const path = boundedText({ min: 1, max: limits.pathLength }).superRefine((text, context) => {
  const parsed = parsePath(text);
  if (parsed.kind === 'invalid') context.addIssue(`is no path at position ${parsed.position}: ${parsed.rule}`);
});

const template = boundedText({ min: 1, max: limits.templateLength }).superRefine((text, context) => {
  const fault = templateFault(text);
  if (fault !== undefined) context.addIssue(`is no template: ${fault}`);
});

/** In the order in which a file has them. */
const fields: ColumnParts['fields'] = {
  path,
  template: template.transform((content) => ({ language: 'jsonnet' as const, content })),
  rawString: z.boolean(),
  defaultValue: boundedText({ min: 0, max: limits.defaultValueLength }),
};

/** A column of a file. */
export type DeclaredColumn = Column & {
  /** The column of the table whose cells it has from now on. */
  readonly renamedFrom?: string;
};

const columnObject = columnSchemaOf({
  name,
  fields,
  object: (shape) => z.strictObject({ ...shape, renamedFrom: name.exactOptional() }),
}) as z.ZodType<DeclaredColumn>;

/** A column of a file: the text that `--column` takes, or an object, where a template is its text. */
export const columnSchema = z.preprocess((value, context) => {
  if (typeof value !== 'string') return value;
  try {
    const column = parseColumn(value);
    return { name: column.name, type: column.type, ...declaredFields(column) };
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: MillraceError.fromUnknown(thrown).message });
    return z.NEVER;
  }
}, columnObject);

/** What a column says besides name and type, as a file has it. */
export function declaredFields(column: ColumnInput): Readonly<Record<string, string | boolean>> {
  const names = Object.keys(fields) as readonly ColumnField[];
  const given = names.flatMap((field) => {
    const value = column[field];
    return value === undefined ? [] : [[field, typeof value === 'object' ? value.content : value] as const];
  });
  return Object.fromEntries(given);
}

/** A column as a file writes it: short where the short text says all, else as an object without what goes without saying. */
export function writtenColumn(column: Column): string | object {
  const short = columnText(column);
  if (column.type !== 'template' && short.length <= longestShort && readsBack(short, column)) return short;
  const { rawString, ...rest } = declaredFields(column);
  return { name: column.name, type: column.type, ...rest, ...(rawString === true ? { rawString } : {}) };
}

const longestShort = 100;

function readsBack(text: string, column: Column): boolean {
  return !/[\r\n]/.test(text) && isDeepStrictEqual(columnSchema.safeParse(text).data, column);
}
