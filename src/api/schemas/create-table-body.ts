import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { boundedText, maybe } from './field.ts';

const most = limits.columnsPerCreatedTable;
const columnName = boundedText({ min: 1, max: limits.columnNameLength });

export const columnType = maybe(z.enum(['STRING'])).meta({ description: 'Every column is text.' });
export const columnDefinition = z.object({ type: z.enum(['STRING', 'VARCHAR', 'TEXT']) }).meta({
  description: 'Every column is text of any length that is never NULL.',
});

const column = z.object({ name: columnName, basetype: columnType, definition: maybe(columnDefinition) });

export const createTableBody = z
  .object({
    name: boundedText({ min: 1, max: limits.tableNameLength }).meta({
      description: 'The last part of its id, of letters, digits, `_` and `-`.',
    }),
    columns: z.array(column).min(1).max(most),
    primaryKeysNames: maybe(z.array(columnName).max(most)).meta({
      description: 'Columns by which later loads replace rows; none when absent.',
    }),
  })
  .meta({ id: 'CreateTableBody' });
