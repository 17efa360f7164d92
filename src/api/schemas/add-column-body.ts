import { z } from 'zod';
import { JsonText } from '../../core/json-text.ts';
import { limits } from '../../core/limits.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { columnDefinition, columnType } from './create-table-body.ts';
import { maybe } from './field.ts';

const rule = `a text of 1 to ${limits.columnNameLength} characters`;

/** What is wrong with it has a code of its own; whether a table can have it is for the operation. */
const name = z
  .unknown()
  .optional()
  .transform((value, context): string => {
    if (typeof value === 'string') return value;
    const message = value === undefined || value === null ? '"name" is missing from body' : `{field} must be ${rule}`;
    context.addIssue({ code: 'custom', params: { name: 'invalidColumnName' }, message });
    return z.NEVER;
  })
  .meta({ type: 'string', minLength: 1, maxLength: limits.columnNameLength });

export const addColumnBody = z
  .object({
    name,
    basetype: columnType,
    definition: z.preprocess(
      (value) => (value instanceof JsonText ? parseJsonText(value.text) : value),
      maybe(columnDefinition),
    ),
  })
  .meta({ id: 'AddColumnBody', required: ['name'] });
