import { bucketOf } from '../../core/bucket.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readWaiting, wasLeftNow, type WaitingRows } from './waiting-rows.ts';

export type ReadDependentsParts = Pick<Parts, 'catalog' | 'clock' | 'definitions' | 'sourceLog' | 'tokens'>;

/** A sink that maps to a table. */
export interface DependentSink {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly columns: readonly string[];
  /** A deleted one makes the table again when it comes back. */
  readonly state: 'active' | 'disabled' | 'deleted';
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
  const waiting = await readWaiting(parts, tableId, options);
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

/**
 * The same for a change of the table. Where a sink has left it a moment ago, mappers may go on with its former mapping for as long as
 * configuration takes to reach them: that is waited for, once.
 */
export async function readSettledDependents(
  parts: ReadDependentsParts,
  tableId: TableId,
  options: Waiting,
): Promise<TableDependents> {
  if (await wasLeftNow(parts, tableId, options)) await parts.clock.sleep(limits.configurationLagMs, options);
  return readDependents(parts, tableId, options);
}
