import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { templateFault } from '../../mapping/jsonnet-templates.ts';
import { parsePath } from '../../mapping/path.ts';
import type { Column } from '../../core/column.ts';
import { columnText, parseColumn } from '../sink/parse-column.ts';
import { boundedText } from './declared-text.ts';

const name = boundedText({ min: 1, max: limits.columnNameLength });
const plainTypes = ['uuid', 'datetime', 'ip', 'body', 'headers'] as const;

const path = boundedText({ min: 1, max: limits.pathLength }).superRefine((text, context) => {
  const parsed = parsePath(text);
  if (parsed.kind === 'invalid') context.addIssue(`is no path at position ${parsed.position}: ${parsed.rule}`);
});

const template = boundedText({ min: 1, max: limits.templateLength }).superRefine((text, context) => {
  const fault = templateFault(text);
  if (fault !== undefined) context.addIssue(`is no template: ${fault}`);
});

const columnObject = z.discriminatedUnion('type', [
  z.strictObject({ name, type: z.enum(plainTypes) }),
  z.strictObject({
    name,
    type: z.literal('path'),
    path,
    rawString: z.boolean().default(false),
    defaultValue: boundedText({ min: 0, max: limits.defaultValueLength }).optional(),
  }),
  z.strictObject({
    name,
    type: z.literal('template'),
    template,
    rawString: z.boolean().default(false),
  }),
]);

type DeclaredColumn = z.output<typeof columnObject>;

/** A column of a file: the text that `--column` takes, or an object, where a template is its text. */
export const columnSchema = z
  .preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      const { template, ...rest } = parseColumn(value);
      return template === undefined ? rest : { ...rest, template: template.content };
    } catch (thrown) {
      context.addIssue({ code: 'custom', message: MillraceError.fromUnknown(thrown).message });
      return z.NEVER;
    }
  }, columnObject)
  .transform(columnOf);

function columnOf(column: DeclaredColumn): Column {
  switch (column.type) {
    case 'path': {
      const { defaultValue, ...rest } = column;
      return { ...rest, ...(defaultValue === undefined ? {} : { defaultValue }) };
    }
    case 'template':
      return { ...column, template: { language: 'jsonnet', content: column.template } };
    default:
      return column;
  }
}

/** A column as a file writes it: short where the short text says all, else as an object without what goes without saying. */
export function writtenColumn(column: Column): string | object {
  const short = columnText(column);
  if (column.type !== 'template' && short.length <= longestShort && readsBack(short, column)) return short;
  if (!('rawString' in column)) return column;
  const { rawString, ...rest } = column;
  const raw = rawString ? { rawString } : {};
  return column.type === 'template' ? { ...rest, template: column.template.content, ...raw } : { ...rest, ...raw };
}

const longestShort = 100;

function readsBack(text: string, column: Column): boolean {
  return !/[\r\n]/.test(text) && isDeepStrictEqual(columnSchema.safeParse(text).data, column);
}
