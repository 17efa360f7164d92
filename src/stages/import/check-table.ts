import type { Mapping } from '../../core/mapping.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch, namedColumns, tableNotFound } from '../../core/table-fault.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Tables } from '../../ports/tables.ts';

/** Why rows of this mapping do not fit its table; undefined when they do. */
export async function checkTable(
  tables: Pick<Tables, 'describeTable'>,
  { tableId, columns }: Mapping,
  options: Waiting,
): Promise<MillraceError | undefined> {
  const found = await tables.describeTable(tableId, options);
  if (found === undefined) return tableNotFound(tableId);
  const expected = columns.map(({ name }) => name);
  return columnMismatch({ tableId, expected, found: namedColumns(found.columns) });
}
