import type { Mapping } from '../../core/mapping.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Tables } from '../../ports/tables.ts';

/** Why rows of this mapping do not fit its table; undefined when they do. */
export async function checkTable(
  tables: Pick<Tables, 'describeTable'>,
  { tableId, columns }: Mapping,
  options: Waiting,
): Promise<MillraceError | undefined> {
  const found = await tables.describeTable(tableId, options);
  if (found === undefined)
    return new MillraceError('table.notFound', `table "${tableId}" does not exist`, { details: { tableId } });
  const expected = columns.map(({ name }) => name);
  if (expected.length === found.columns.length && expected.every((name, index) => name === found.columns[index]))
    return undefined;
  const list = (names: readonly string[]): string => `[${names.map((name) => `"${name}"`).join(', ')}]`;
  return new MillraceError(
    'table.schemaMismatch',
    `columns of the table "${tableId}" do not match expected ${list(expected)}, found ${list(found.columns)}`,
    { details: { tableId } },
  );
}
