import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { unlessDone } from './unless-done.ts';

type CreateTableParts = Pick<Parts, 'ownership' | 'seat' | 'tables' | 'tasks'>;

export interface TableToCreate {
  readonly tableId: TableId;
  readonly columns: readonly string[];
  /** Names out of the columns; empty: none. */
  readonly primaryKey: readonly string[];
  readonly change: Change;
}

/**
 * Makes an empty table, and its bucket where that is missing, and answers it. `table.exists`; `input.invalid` for columns that no table can
 * have. It is made in one step: a process that dies leaves it made or not begun.
 */
export function createTable(
  { ownership, seat, tables, tasks }: CreateTableParts,
  { tableId, columns, primaryKey, change }: TableToCreate,
  options: Waiting,
): Promise<TableDescription> {
  const find = (): Promise<TableDescription | undefined> => tables.describeTable(tableId, options);
  const exists = (): MillraceError => new MillraceError('table.exists', `table "${tableId}" exists already`);
  const work = async (): Promise<TableDescription> => {
    if ((await find()) !== undefined) throw exists();
    await ownership.assertOurs('tables', options);
    await change.begin({ kind: 'table', tableId }, options);
    await seat.assertHeld(options);
    // Nobody else makes tables of the bucket meanwhile: one that is there after a lost answer is this one.
    const isMade = async (): Promise<boolean> => (await find()) !== undefined;
    await unlessDone(() => tables.createTable(tableId, columns, { ...options, primaryKey }), isMade, options);
    const made = await find();
    if (made === undefined) throw new MillraceError('table.notFound', `table "${tableId}" went as soon as it was made`);
    return made;
  };
  const claims = [{ key: `table ${tableId}`, mode: 'exclusive' }] as const;
  return tasks.alone({ claims, change }, () => aloneOnBuckets(tasks.serial, [tableId], work));
}
