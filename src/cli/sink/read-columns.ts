import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Column } from '../../core/column.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ColumnShape } from '../api-shapes.ts';
import { parseColumn } from './parse-column.ts';

const columns = z.array(z.union([z.string(), z.looseObject({ name: z.string(), type: z.string() })]));
const fileShape = z.union([columns, z.object({ columns }).transform((file) => file.columns)]);

export interface ColumnOptions {
  readonly column?: readonly string[];
  readonly columns?: string;
}

/**
 * Columns of `--column` (repeated) or of the file of `--columns`: JSON or YAML, a list of columns as the API or as a
 * person writes them, or an object with such a list under `columns`; the file of a template (`@FILE`) is looked for from
 * there. Undefined when neither is given.
 */
export async function readColumns({
  column,
  columns: file,
}: ColumnOptions): Promise<readonly ColumnShape[] | undefined> {
  if (column !== undefined && file !== undefined)
    throw new MillraceError('input.invalid', 'Give either --column or --columns, not both.');
  if (file === undefined) return column && Promise.all(column.map((text) => withTemplate(parseColumn(text), '.')));
  const parsed = fileShape.safeParse(await contentOf(file));
  if (!parsed.success)
    throw new MillraceError('input.invalid', `The file ${file} must hold a list of columns, each with name and type.`);
  const columnOf = async (entry: (typeof parsed.data)[number]): Promise<ColumnShape> =>
    typeof entry === 'string' ? withTemplate(parseColumn(entry), dirname(file)) : (entry as ColumnShape);
  return Promise.all(parsed.data.map(columnOf));
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `The file ${file} cannot be read as JSON or YAML: ${message}`);
  }
}

/** A column whose template is `@FILE` with what the file holds; `@` before a quote begins a string of the language. */
async function withTemplate(column: Column, folder: string): Promise<Column> {
  if (column.type !== 'template') return column;
  const { template } = column;
  const file = /^@(?!["'])(.+)$/s.exec(template.content)?.[1];
  if (file === undefined) return column;
  try {
    return { ...column, template: { ...template, content: await readFile(resolve(folder, file), 'utf8') } };
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `Column "${column.name}": its template cannot be read: ${message}`);
  }
}
