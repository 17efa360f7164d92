import { areSameColumns } from '../../core/column-change.ts';
import type { StorageJobRequest } from '../../core/imports/storage-job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { tableNotFound } from '../../core/table-fault.ts';
import { isReservedTable, tableName, type TableId } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { requireUnused } from '../operations/change-table.ts';
import type { ReadDependentsParts } from '../operations/table-dependents.ts';
import type { Parts } from '../parts.ts';

export type DestinationParts = ReadDependentsParts & Pick<Parts, 'tables'>;

/**
 * The table of an import, undefined where it is to be made. `table.notFound`; `table.exists` where it is to be made and is there;
 * `table.inUse` when its rows are to go and a sink fills it.
 */
export async function checkDestination(
  parts: DestinationParts,
  { operation, tableId, isIncremental }: StorageJobRequest,
  options: Waiting,
): Promise<TableDescription | undefined> {
  if (isReservedTable(tableId) || tableName(tableId).stage === 'sys')
    throw new MillraceError(
      'import.invalid',
      `The table "${tableId}" cannot be loaded: "sys" holds the product's own tables.`,
    );
  const found = await parts.tables.describeTable(tableId, options);
  if (operation === 'tableCreate') {
    if (found === undefined) return undefined;
    throw new MillraceError('import.tableExists', `table "${tableId}" exists already`);
  }
  if (found === undefined) throw tableNotFound(tableId);
  if (!isIncremental) await requireUnused(parts, { tableId, what: 'emptied', canForce: false }, options);
  return found;
}

interface Lines {
  readonly tableId: TableId;
  readonly table: TableDescription | undefined;
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
}

/** The columns of a file must be those of the table, in any order; those of a table that is made must be possible. `import.invalid`. */
export function checkColumns({ tableId, table, columns, primaryKey }: Lines): void {
  const fail = (what: string): never => {
    throw new MillraceError('import.invalid', what);
  };
  const seen = new Set<string>();
  for (const [at, name] of columns.entries()) {
    const { length } = Array.from(name);
    if (length < 1 || length > 64)
      fail(
        `Column ${at + 1} of the header: its name must have 1 to 64 characters, but it is ${JSON.stringify(name.slice(0, 100))}.`,
      );
    if (seen.has(name.toLowerCase()))
      fail(`Column ${at + 1} of the header: "${name}" stands twice, in one letter case or another.`);
    seen.add(name.toLowerCase());
  }
  const key = primaryKey.find((name) => !columns.includes(name));
  if (key !== undefined) fail(`The primary key names "${key}", which is none of the columns of the file.`);
  if (table === undefined || areSameColumns(table.columns, columns)) return;
  const missing = table.columns.filter((name) => !columns.includes(name));
  const foreign = columns.filter((name) => !table.columns.includes(name));
  if (missing.length > 0) fail(`Some columns are missing in the file. Missing columns: ${missing.join(', ')}.`);
  if (foreign.length > 0)
    fail(`The table "${tableId}" does not have these columns of the file: ${foreign.join(', ')}. Add them first.`);
}
