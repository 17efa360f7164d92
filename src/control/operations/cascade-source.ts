import { bucketOf } from '../../core/bucket.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Erasure, Source } from '../../core/source.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { changeSource } from '../store/write-document.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { eraseSource, tablesOfOthers, type Leftover } from './erase-source.ts';
import { settlingSource, type SettleParts } from './settle.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';

type CascadeSourceParts = Pick<Parts, 'addresses' | 'sendersRefused'> & SettleParts;

interface Cascade {
  readonly key: SourceKey;
  readonly change: Change;
}

/**
 * Starts the task that deletes a source for good: its sinks, active and deleted, all versions, and the tables of the sinks with their
 * buckets, unless a sink of another source maps to a table. What was accepted for a dropped table and is not in it by then is given up.
 */
export function cascadeSource(parts: CascadeSourceParts, { key, change }: Cascade, options: Waiting): Promise<Task> {
  return parts.tasks.start(
    {
      operation: 'delete',
      object: 'source',
      subject: key,
      change,
      claims: cascadeClaims(key),
      admit: async (waiting) => {
        await parts.definitions.source(key, waiting);
      },
      run: (waiting) => cascade(parts, { key, change }, waiting),
      outputs: sourceOutputs(parts.addresses, key),
    },
    options,
  );
}

async function cascade(parts: CascadeSourceParts, { key, change }: Cascade, options: Waiting): Promise<string> {
  const { definitions, tasks } = parts;
  const source = await definitions.source(key, options);
  const sinks = [...(await definitions.sinks(key, options)), ...(await definitions.deletedSinks(key, options))];
  const tables = [...new Set(sinks.map(({ table }) => table.tableId))].toSorted();
  return aloneOnBuckets(tasks.serial, tables, async () => {
    const others = await tablesOfOthers(parts, source, options);
    const dropped = tables.filter((tableId) => !others.has(tableId));
    const deleted = { ...stampNow(parts, change.by), withSource: false };
    // From here on it is done to the end, by whoever finds it.
    const erased = { tables: await identified(parts, dropped, options), isDone: false };
    const mark = (before: Source | undefined): Source | undefined =>
      before && { ...before, deleted, erased: { ...before.erased, ...erased } };
    const left = await settlingSource(parts, key, async () => {
      const marked = await changeSource(parts.catalog, { key, change: mark }, options);
      await parts.sendersRefused?.(source, options);
      return eraseSource(parts, marked ?? source, options);
    });
    if (left.length > 0) throw incomplete(left);
    const keptTables = tables.filter((tableId) => others.has(tableId));
    return resultOf({ dropped, keptTables, keptBuckets: await filledBuckets(parts, tables, options) });
  });
}

/** If this process fails and another one makes a table under the same id, that is another table. */
async function identified(
  { tables }: Pick<Parts, 'tables'>,
  ids: readonly TableId[],
  options: Waiting,
): Promise<Erasure['tables']> {
  const found: Erasure['tables'][number][] = [];
  for (const tableId of ids) {
    const table = await tables.describeTable(tableId, options);
    found.push(table === undefined ? { tableId } : { tableId, identity: table.identity });
  }
  return found;
}

/** Those of the tables' buckets that hold a table. */
async function filledBuckets(
  { tables }: Pick<Parts, 'tables'>,
  ids: readonly TableId[],
  options: Waiting,
): Promise<readonly string[]> {
  const filled = new Set((await tables.listTables(options)).map(({ tableId }) => bucketOf(tableId)));
  return [...new Set(ids.map(bucketOf))].filter((bucket) => filled.has(bucket));
}

interface Outcome {
  readonly dropped: readonly TableId[];
  readonly keptTables: readonly TableId[];
  readonly keptBuckets: readonly string[];
}

/** What has gone, and what stays and why. */
function resultOf({ dropped, keptTables, keptBuckets }: Outcome): string {
  const hasEmptied = dropped.some((tableId) => !keptBuckets.includes(bucketOf(tableId)));
  const gone = dropped.length === 0 ? [] : ['destination tables', ...(hasEmptied ? ['bucket'] : [])];
  const deleted =
    keptTables.length + keptBuckets.length === 0
      ? 'Source and its destination tables and bucket have been deleted.'
      : gone.length === 0
        ? 'Source has been deleted.'
        : `Source and its ${gone.join(' and ')} have been deleted.`;
  return [
    deleted,
    ...(keptTables.length === 0 ? [] : [`Kept, because sinks of other sources map to them: ${quoted(keptTables)}.`]),
    ...(keptBuckets.length === 0 ? [] : [`Kept, because tables are in them: buckets ${quoted(keptBuckets)}.`]),
  ].join(' ');
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function incomplete(left: readonly Leftover[]): MillraceError {
  const list = left.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  const message = `source deleted, but some destination resources could not be removed: ${list}`;
  return new MillraceError('source.leftovers', message, { details: { left: left.map(({ name }) => name).join(', ') } });
}
