import { z } from 'zod';
import { JsonText } from '../../core/json-text.ts';
import type { CsvForm } from '../../core/imports/storage-job.ts';
import { limits } from '../../core/limits.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { shown } from '../errors/validation-error.ts';

/** A field of JSON or of a form, as `read` makes it; absent: undefined. Whatever is wrong with it has the code of tables. */
function field<Value>(read: (value: unknown) => Value | undefined, rule: string) {
  return z
    .unknown()
    .optional()
    .transform((value, context): Value | undefined => {
      if (value === undefined || value === null) return undefined;
      const found = read(value);
      if (found !== undefined) return found;
      const given = value instanceof JsonText ? shown(value.text.slice(0, 200)) : shown(value);
      context.addIssue({
        code: 'custom',
        params: { name: 'tableValidation' },
        message: `{field} must be ${rule} but got value ${given}`,
      });
      return z.NEVER;
    });
}

function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === 1 || value === '1') return true;
  if (value === false || value === 'false' || value === 0 || value === '0' || value === '') return false;
  return undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** A list of JSON, the JSON text of one, or names separated by commas. */
function namesOf(value: unknown): readonly string[] | undefined {
  const text = value instanceof JsonText ? value.text : value;
  if (typeof text !== 'string') return undefined;
  if (!text.trimStart().startsWith('[')) return text === '' ? [] : text.split(',').map((name) => name.trim());
  const list = z.array(z.string()).max(limits.columnsPerCreatedTable).safeParse(parsed(text));
  return list.data;
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

const character = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length === 1 && !'\n\r\0\uFEFF'.includes(value) ? value : undefined;
const characterOrNone = (value: unknown): string | undefined => (value === '' ? '' : character(value));
const oneCharacter = 'one character, and no line end';

const names = field(namesOf, `a list of at most ${limits.columnsPerCreatedTable} names`).meta({
  type: ['array', 'string'],
  items: { type: 'string' },
});
const flag = field(flagOf, 'true or false').meta({ type: 'boolean' });

const form = {
  dataFileId: field(numberOf, 'the number of a file').meta({
    type: 'integer',
    description: 'Of a file that was uploaded.',
  }),
  delimiter: field(character, oneCharacter).meta({ type: 'string', description: '`,` when absent.' }),
  enclosure: field(characterOrNone, `${oneCharacter}, or empty`).meta({
    type: 'string',
    description: '`"` when absent.',
  }),
  escapedBy: field(characterOrNone, `${oneCharacter}, or empty`).meta({
    type: 'string',
    description: 'Stands before an enclosure that is part of a cell; when absent it is doubled.',
  }),
  columns: names.meta({ description: 'Of each line, in order; then the file has no header.' }),
  'columns[]': names.meta({ description: 'The same, as some clients name it in forms.' }),
  withoutHeaders: flag.meta({ description: 'The first line is a row; its columns are those of the table.' }),
  ignoredLinesCount: field(numberOf, 'a number of lines').meta({
    type: 'integer',
    description: 'Left out at the beginning.',
  }),
  treatValuesAsNull: field(
    (value) => (namesOf(value)?.every((one) => one === '') === true ? [] : undefined),
    'absent: no cell of a table is ever NULL',
  ).meta({
    type: 'array',
    items: { type: 'string' },
  }),
};

export const importBody = z
  .object({
    ...form,
    incremental: flag.meta({ description: 'Rows are added; else those that were there go first.' }),
  })
  .meta({ id: 'ImportTableBody', required: ['dataFileId'] });

export const createTableFromFileBody = z
  .object({
    ...form,
    name: field((value) => (typeof value === 'string' && value !== '' ? value : undefined), 'a text').meta({
      type: 'string',
      maxLength: limits.tableNameLength,
      description: 'The last part of its id, of letters, digits, `_` and `-`.',
    }),
    primaryKey: names.meta({ description: 'Columns by which later loads replace rows; none when absent.' }),
    'primaryKey[]': names,
  })
  .meta({ id: 'CreateTableFromFileBody', required: ['name', 'dataFileId'] });

type FormBody = Omit<z.output<typeof importBody>, 'incremental'>;

/** How the file is to be read; what is absent is as RFC 4180 has it. */
export function formOf(body: FormBody): CsvForm {
  const { delimiter = ',', enclosure = '"', escapedBy = '', withoutHeaders = false, ignoredLinesCount = 0 } = body;
  const columns = body.columns ?? body['columns[]'];
  const isGiven = columns !== undefined && columns.length > 0;
  return {
    delimiter,
    enclosure,
    escapedBy,
    ...(isGiven && { columns }),
    hasHeader: !isGiven && !withoutHeaders,
    ignoredLines: ignoredLinesCount,
  };
}
