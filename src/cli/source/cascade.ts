import type { AdminClient } from '../client.ts';
import type { SourceName } from '../object-name.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import { printable } from '../printable.ts';

/** What goes with a source that is deleted for good. */
export interface Cascade {
  readonly sourceId: string;
  readonly sinks: readonly { readonly sinkId: string; readonly isDeleted: boolean }[];
  readonly tables: readonly { readonly tableId: string; readonly rows: number }[];
  /** Tables that stay, because sinks of other sources of the branch fill them, too. */
  readonly kept: readonly string[];
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
  const tables = (await client.listTables()).filter(({ id }) => own.has(id));
  return {
    sourceId,
    sinks: [
      ...active.map(({ sinkId }) => ({ sinkId, isDeleted: false })),
      ...deleted.map(({ sinkId }) => ({ sinkId, isDeleted: true })),
    ],
    tables: tables.filter(({ id }) => !filled.has(id)).map(({ id, rowsCount }) => ({ tableId: id, rows: rowsCount })),
    kept: tables.filter(({ id }) => filled.has(id)).map(({ id }) => id),
  };
}

/** Says it to the person who is asked. */
export function cascadeText({ sourceId, sinks, tables, kept }: Cascade): string {
  return [
    `This deletes the source ${printable(sourceId)} for good, with all its versions, and`,
    ...sinks.map(
      ({ sinkId, isDeleted }) => `  sink ${printable(sinkId)}${isDeleted ? ', which is deleted already' : ''}`,
    ),
    ...tables.map(({ tableId, rows }) => `  table ${printable(tableId)} with ${rowsText(rows)}`),
    ...(sinks.length + tables.length === 0 ? ['  nothing else: it has no sinks.'] : []),
    ...kept.map((tableId) => `The table ${printable(tableId)} stays: a sink of another source fills it, too.`),
    ...(sinks.length === 0
      ? []
      : [
          'Events that are not in their tables yet are given up.',
          `Dead letters stay, in the table ${deadLetterTable}.`,
        ]),
  ].join('\n');
}

function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US').replaceAll(',', ' ')} rows`;
}
