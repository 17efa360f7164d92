import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { MillraceError } from '../../../core/millrace-error.ts';
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
 * person writes them, or an object with such a list under `columns`. Undefined when neither is given.
 */
export async function readColumns({
  column,
  columns: file,
}: ColumnOptions): Promise<readonly ColumnShape[] | undefined> {
  if (column !== undefined && file !== undefined)
    throw new MillraceError('input.invalid', 'Give either --column or --columns, not both.');
  if (file === undefined) return column?.map(parseColumn);
  const parsed = fileShape.safeParse(await contentOf(file));
  if (!parsed.success)
    throw new MillraceError('input.invalid', `The file ${file} must hold a list of columns, each with name and type.`);
  return parsed.data.map((entry) => (typeof entry === 'string' ? parseColumn(entry) : (entry as ColumnShape)));
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `The file ${file} cannot be read as JSON or YAML: ${message}`);
  }
}
