import { mappingId } from '../../documents/document-id.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { heldSlices, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { bucketOf } from './ensure-table.ts';
import { hasDelivered } from './sink-token.ts';

export type ReadDependentsParts = Pick<Parts, 'catalog' | 'definitions' | 'tokens'>;

/** A sink that maps to a table. */
export interface DependentSink {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly columns: readonly string[];
  /** A deleted one makes the table again when it comes back. */
  readonly state: 'active' | 'disabled' | 'deleted';
}

/** What an incarnation of a sink, deleted or with another table by now, still has for a table. */
export interface WaitingRows {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  /** In staging. */
  readonly rows: number;
  /** It is closed, and events of it are not staged yet. */
  readonly isBehind: boolean;
}

export interface TableDependents {
  readonly sinks: readonly DependentSink[];
  readonly waiting: readonly WaitingRows[];
  /** Tokens of sinks that may write the bucket of the table. */
  readonly tokens: readonly { readonly id: string; readonly description: string }[];
}

/** What depends on a table, whether it is there or not. */
export async function readDependents(
  parts: ReadDependentsParts,
  tableId: TableId,
  options: Waiting,
): Promise<TableDependents> {
  const sinks = (await parts.definitions.allSinks(options)).filter(({ table }) => table.tableId === tableId);
  const waiting: WaitingRows[] = [];
  for (const progress of await listDocuments(parts.catalog, { kind: progressDocuments }, options)) {
    const found = await waitingIn(parts, { progress, tableId }, options);
    if (found !== undefined) waiting.push(found);
  }
  const bucket = bucketOf(tableId);
  const tokens = (await parts.tokens.list(options)).filter(
    ({ scope }) => scope.kind === 'sink' && scope.writeBuckets.includes(bucket),
  );
  return {
    sinks: sinks.map(({ branchId, sourceId, sinkId, incarnation, table, disabled, deleted }) => ({
      key: { branchId, sourceId, sinkId },
      incarnation,
      columns: table.columns.map(({ name }) => name),
      state: deleted !== undefined ? 'deleted' : disabled !== undefined ? 'disabled' : 'active',
    })),
    waiting,
    tokens: tokens.map(({ id, description }) => ({ id, description })),
  };
}

async function waitingIn(
  { catalog }: Pick<Parts, 'catalog'>,
  { progress, tableId }: { readonly progress: SinkProgress; readonly tableId: TableId },
  options: Waiting,
): Promise<WaitingRows | undefined> {
  const { key, incarnation, mappingVersion } = progress;
  const held = heldSlices(progress);
  const isMeant = async (version: number): Promise<boolean> => {
    const id = mappingId(incarnation, version);
    return (await readDocument(catalog, { kind: mappingDocuments, id }, options))?.value.tableId === tableId;
  };
  let rows = 0;
  for (const [version, slices] of Map.groupBy(held, (slice) => slice.mappingVersion))
    if (await isMeant(version)) rows += slices.reduce((sum, slice) => sum + slice.rows, 0);
  const isBehind = !progress.open && !hasDelivered(progress) && (await isMeant(mappingVersion));
  return rows === 0 && !isBehind ? undefined : { key, incarnation, rows, isBehind };
}

/** The end of a sentence that says what stands in the way. */
export function dependentsText({ sinks, waiting }: Pick<TableDependents, 'sinks' | 'waiting'>): string {
  const filling = sinks.map(({ key, state }) => `${state === 'active' ? '' : `${state} `}sink ${nameOf(key)}`);
  const rows = waiting.map(({ key, rows: count, isBehind }) =>
    count === 0 || isBehind
      ? `what sink ${nameOf(key)} has accepted waits for it`
      : `${count} rows of sink ${nameOf(key)} wait for it`,
  );
  return [
    ...(filling.length === 0 ? [] : [`${filling.join(', ')} ${filling.length === 1 ? 'fills' : 'fill'} it`]),
    ...rows,
  ].join('; ');
}

function nameOf({ branchId, sourceId, sinkId }: SinkKey): string {
  return `${branchId === 1 ? '' : `${branchId}/`}${sourceId}/${sinkId}`;
}
