import { MillraceError } from '../../core/millrace-error.ts';
import { tableNotFound } from '../../core/table-fault.ts';
import { deadLetterTable, isReservedTable, parseTableId, tableName, type TableId } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { adviceOn, dependentsText } from './in-the-way.ts';
import { readSettledDependents, type ReadDependentsParts } from './table-dependents.ts';
import { unlessDone } from './unless-done.ts';

type ChangeTableParts = ReadDependentsParts & Pick<Parts, 'chores' | 'ownership' | 'seat' | 'tables' | 'tasks'>;

export interface TableChange {
  readonly tableId: TableId;
  readonly change: Change;
}

export interface Removal extends TableChange {
  /** Whatever depends on it. */
  readonly force: boolean;
}

/** Drops a table with its rows. `table.notFound`; unless forced `table.inUse` when a sink fills it or rows wait for it. */
export function deleteTable(parts: ChangeTableParts, removal: Removal, options: Waiting): Promise<void> {
  const { tableId, change, force } = removal;
  return aloneOnTable(parts, removal, async () => {
    const { identity } = await found(parts, tableId, options);
    if (!force) await requireUnused(parts, { tableId, what: 'deleted', canForce: true }, options);
    await begin(parts, { tableId, change }, options);
    await dropTable(parts, { tableId, identity }, options);
    await dropBucket(parts, tableId, options);
  });
}

/** Removes all rows of a table. `table.notFound`; `table.inUse` as above: rows that wait come after. */
export function emptyTable(parts: ChangeTableParts, removal: Removal, options: Waiting): Promise<void> {
  const { tableId, change, force } = removal;
  return aloneOnTable(parts, removal, async () => {
    await found(parts, tableId, options);
    if (!force) await requireUnused(parts, { tableId, what: 'emptied', canForce: true }, options);
    await begin(parts, { tableId, change }, options);
    const isEmpty = async (): Promise<boolean> => (await parts.tables.describeTable(tableId, options))?.rows === 0;
    await unlessDone(() => parts.tables.emptyTable(tableId, options), isEmpty, options);
  });
}

/**
 * Gives a table another name in its bucket, and answers it. `table.notFound`; `table.exists`; `table.inUse` while a sink fills it or rows
 * wait for it: they would not find it any more.
 */
export function renameTable(
  parts: ChangeTableParts,
  { tableId, name, change }: TableChange & { readonly name: string },
  options: Waiting,
): Promise<TableDescription> {
  return aloneOnTable(parts, { tableId, change }, async () => {
    const to = renamed(tableId, name);
    await found(parts, tableId, options);
    await requireUnused(parts, { tableId, what: 'renamed', canForce: false }, options);
    await begin(parts, { tableId, change }, options);
    const isRenamed = async (): Promise<boolean> =>
      to !== tableId &&
      (await parts.tables.describeTable(tableId, options)) === undefined &&
      (await parts.tables.describeTable(to, options)) !== undefined;
    await unlessDone(() => parts.tables.renameTable(tableId, to, options), isRenamed, options);
    change.made({ kind: 'table', tableId: to });
    return found(parts, to, options);
  });
}

function renamed(tableId: TableId, name: string): TableId {
  const { stage, bucket } = tableName(tableId);
  const to = parseTableId(`${stage}.${bucket}.${name}`);
  if (!isReservedTable(tableId)) return to;
  throw new MillraceError('input.invalid', `the table "${tableId}" cannot be renamed: dead letters go into it`);
}

/** Drops this very table, and no other that has its id since; after an unclear answer it is looked up what happened. */
export async function dropTable(
  { tables }: Pick<Parts, 'tables'>,
  { tableId, identity }: Pick<TableDescription, 'tableId' | 'identity'>,
  options: Waiting,
): Promise<void> {
  const drop = (): Promise<void> => tables.dropTable(tableId, { ...options, identity });
  const isGone = async (): Promise<boolean> => (await tables.describeTable(tableId, options))?.identity !== identity;
  await unlessDone(drop, isGone, options);
}

/** The table is gone already: what cannot be removed now is a chore. Nothing but the name of the bucket is left of it. */
export async function dropBucket(
  { chores, ownership, seat, tables }: Pick<Parts, 'chores' | 'ownership' | 'seat' | 'tables'>,
  tableId: TableId,
  options: Waiting,
): Promise<void> {
  const attempt = async (waiting: Waiting): Promise<boolean> => {
    await seat.assertHeld(waiting);
    await ownership.assertOurs('tables', waiting);
    await tables.dropBucket(tableId, waiting);
    return true;
  };
  try {
    await attempt(options);
  } catch (thrown) {
    if (options.signal.aborted) throw thrown;
    chores.add({ name: `drop the bucket of ${tableId}`, attempt });
  }
}

/** No operation that drops, makes or relies on tables of the bucket runs meanwhile. */
export function aloneOnTable<Result>(
  { tasks }: Pick<Parts, 'tasks'>,
  { tableId, change }: TableChange,
  work: () => Promise<Result>,
): Promise<Result> {
  const claims = [{ key: `table ${tableId}`, mode: 'exclusive' }] as const;
  return tasks.alone({ claims, change }, () => aloneOnBuckets(tasks.serial, [tableId], work));
}

/** `table.notFound`. */
export async function found(
  { tables }: Pick<Parts, 'tables'>,
  tableId: TableId,
  options: Waiting,
): Promise<TableDescription> {
  const table = await tables.describeTable(tableId, options);
  if (table === undefined) throw tableNotFound(tableId);
  return table;
}

/** Last before the change: the entry in the trail, and that the table is this installation's to change. */
export async function begin(
  { ownership, seat }: Pick<Parts, 'ownership' | 'seat'>,
  { tableId, change }: TableChange,
  options: Waiting,
): Promise<void> {
  await ownership.assertOurs('tables', options);
  await change.begin({ kind: 'table', tableId }, options);
  await seat.assertHeld(options);
}

interface Intent {
  readonly tableId: TableId;
  readonly what: 'deleted' | 'emptied' | 'renamed';
  readonly canForce: boolean;
}

/** `table.inUse` when a sink fills the table or rows wait for it, with what can be done about that. */
export async function requireUnused(
  parts: ReadDependentsParts,
  { tableId, what, canForce }: Intent,
  options: Waiting,
): Promise<void> {
  const fail = (reason: string, advice?: string): never => {
    const sentences = [reason, advice, canForce ? 'Or give "force" to do it all the same' : undefined];
    const text = `the table "${tableId}" is not ${what}: ${sentences.filter((one) => one !== undefined).join('. ')}`;
    throw new MillraceError('table.inUse', text, { details: { tableId } });
  };
  if (tableId === deadLetterTable) fail('every sink puts its dead letters into it');
  const { sinks, waiting } = await readSettledDependents(parts, tableId, options);
  const filling = sinks.filter(({ state }) => state !== 'deleted');
  const inTheWay = { sinks: filling, waiting };
  if (filling.length + waiting.length > 0) fail(dependentsText(inTheWay), adviceOn(inTheWay));
}
