import type { AdminClient } from '../client.ts';
import type { SourceName } from '../object-name.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import { printable } from '../printable.ts';
import { rowsText } from '../table/dependents-text.ts';

/** What goes with a source that is deleted for good. */
export interface Cascade {
  readonly sourceId: string;
  readonly sinks: readonly { readonly sinkId: string; readonly isDeleted: boolean }[];
  readonly tables: readonly { readonly tableId: string; readonly rows: number }[];
  /** Tables that stay, because sinks of other sources of the branch fill them, too. */
  readonly kept: readonly string[];
  /** Buckets in which nothing is left, and those in which other tables are. */
  readonly buckets: { readonly emptied: readonly string[]; readonly kept: readonly string[] };
}

/** Asks what would go now; `client.refused` when there is no such source. */
export async function readCascade(client: AdminClient, name: SourceName): Promise<Cascade> {
  const { branch, sourceId } = name;
  const [active, deleted] = await Promise.all([client.listSinks(name), client.listDeletedSinks(name)]);
  const others = (await client.listSources(branch)).filter((source) => source.sourceId !== sourceId);
  const sinksOfOthers = await Promise.all(
    others.flatMap((other) => {
      const otherName = { branch, sourceId: other.sourceId };
      return [client.listSinks(otherName), client.listDeletedSinks(otherName)];
    }),
  );
  const filled = new Set(sinksOfOthers.flat().map(({ table }) => table.tableId));
  const own = new Set([...active, ...deleted].map(({ table }) => table.tableId));
  const all = await client.listTables();
  const tables = all.filter(({ id }) => own.has(id));
  const filledBuckets = new Set(all.filter(({ id }) => !own.has(id) || filled.has(id)).map(({ id }) => bucketOf(id)));
  const buckets = [...new Set(tables.map(({ id }) => bucketOf(id)))];
  return {
    sourceId,
    sinks: [
      ...active.map(({ sinkId }) => ({ sinkId, isDeleted: false })),
      ...deleted.map(({ sinkId }) => ({ sinkId, isDeleted: true })),
    ],
    tables: tables.filter(({ id }) => !filled.has(id)).map(({ id, rowsCount }) => ({ tableId: id, rows: rowsCount })),
    kept: tables.filter(({ id }) => filled.has(id)).map(({ id }) => id),
    buckets: {
      emptied: buckets.filter((bucket) => !filledBuckets.has(bucket)),
      kept: buckets.filter((bucket) => filledBuckets.has(bucket)),
    },
  };
}

/** Says it to the person who is asked. */
export function cascadeText({ sourceId, sinks, tables, kept, buckets }: Cascade): string {
  return [
    `This deletes the source ${printable(sourceId)} for good, with all its versions, and`,
    ...sinks.map(
      ({ sinkId, isDeleted }) => `  sink ${printable(sinkId)}${isDeleted ? ', which is deleted already' : ''}`,
    ),
    ...tables.map(({ tableId, rows }) => `  table ${printable(tableId)} with ${rowsText(rows)}`),
    ...buckets.emptied.map((bucket) => `  bucket ${printable(bucket)}`),
    ...(sinks.length + tables.length === 0 ? ['  nothing else: it has no sinks.'] : []),
    ...kept.map((tableId) => `The table ${printable(tableId)} stays: a sink of another source fills it, too.`),
    ...buckets.kept.map((bucket) => `The bucket ${printable(bucket)} stays: other tables are in it.`),
    ...(sinks.length === 0
      ? []
      : [
          'Events that are not in their tables yet are given up.',
          `Dead letters stay, in the table ${deadLetterTable}.`,
        ]),
  ].join('\n');
}

function bucketOf(tableId: string): string {
  return tableId.slice(0, tableId.lastIndexOf('.'));
}
