import { bucketOf } from '../../core/bucket.ts';
import { columnOf } from '../../core/column.ts';
import { isDeepStrictEqual } from 'node:util';
import { mappingId } from '../../documents/document-id.ts';
import type { SinkKey } from '../../core/ids.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { Sink } from '../../core/sink.ts';
import type { Task } from '../../core/task.ts';
import { readDocument } from '../../documents/read-document.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { createDocument } from '../../documents/change-document.ts';
import { rewriteSink } from '../store/write-document.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { alterationOf, alterTable, finishAltering, type Alteration } from './alter-table.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { changeProgressMapping } from './change-progress.ts';
import { dropEmptyTable, ensureTable, withAdvice } from './ensure-table.ts';
import { Rollback } from './rollback.ts';
import { settlingSink, type SettleParts } from './settle.ts';
import type { SinkChanges } from './sink-input.ts';
import { checkMapping, knownMapping, type SinkMapping, type WantedMapping } from './sink-plan.ts';
import { extendSinkToken } from './sink-token.ts';
import { stampNow } from './stamp-now.ts';
import { sinkOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSinkVersion, sinkDefinition } from '../store/version-of.ts';

export type UpdateSinkParts = Pick<Parts, 'addresses' | 'trials'> & SettleParts;

export interface SinkUpdate {
  readonly key: SinkKey;
  readonly wanted: SinkChanges;
  readonly change: Change;
}

/** Starts the task that changes a sink. The mapping is checked in the request; a change that changes nothing makes no version (A23). */
export function updateSink(
  parts: UpdateSinkParts,
  { key, wanted, change }: SinkUpdate,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation: 'update',
      object: 'sink',
      subject: key,
      change,
      claims: sinkClaims(key),
      admit: async (waiting) => {
        const sink = await parts.definitions.sink(key, waiting);
        await checkMapping(wantedMapping(sink, wanted), parts.trials, waiting);
        if (isChanged(sink, changed(sink, wanted))) checkVersionLimit(sink);
      },
      run: async (waiting) => {
        const sink = await parts.definitions.sink(key, waiting);
        const { tableId } = knownMapping(wantedMapping(sink, wanted));
        await aloneOnBuckets(parts.tasks.serial, [tableId], () =>
          settlingSink(parts, key, () => update(parts, { key, wanted, change }, waiting)),
        );
        return 'Sink has been updated successfully.';
      },
      outputs: sinkOutputs(parts.addresses, key),
    },
    options,
  );
}

/** What the sink is to map to after the change; what is not wanted otherwise stays (A16). */
function wantedMapping(sink: Sink, { table, allowedSignals }: SinkChanges): WantedMapping {
  return {
    tableId: table?.tableId ?? sink.table.tableId,
    columns: table?.mapping?.columns.map(columnOf) ?? sink.table.columns,
    allowedSignals: allowedSignals ?? sink.allowedSignals,
  };
}

/** The sink after the change. */
function changed(sink: Sink, wanted: SinkChanges): Sink {
  const { tableId, columns, allowedSignals } = knownMapping(wantedMapping(sink, wanted));
  const { name = sink.name, description = sink.description } = wanted;
  return { ...sink, name, description, allowedSignals, table: { ...sink.table, tableId, columns } };
}

function isChanged(before: Sink, after: Sink): boolean {
  return !isDeepStrictEqual(sinkDefinition(after), sinkDefinition(before));
}

async function update(parts: UpdateSinkParts, { key, wanted, change }: SinkUpdate, options: Waiting): Promise<void> {
  const sink = await parts.definitions.sink(key, options);
  await finishAltering(parts, sink.incarnation, options);
  const definition = changed(sink, wanted);
  const { table, allowedSignals } = definition;
  const mapping = { tableId: table.tableId, columns: table.columns, allowedSignals };
  const alteration = await alterationOf(parts, { sink, mapping, wanted: wanted.table }, options);
  if (!isChanged(sink, definition) && alteration === undefined) return;
  const note = { description: wanted.changeDescription ?? 'Updated.', stamp: stampNow(parts, change.by) };
  const version = followingVersion(sink.version, sinkDefinition(definition), note);
  // Kept first, so that whoever finds the mapping in use knows what belongs to it.
  await keepSinkVersion(parts.catalog, { ...definition, version }, options);
  const mappingVersion = await applyMapping(parts, { sink, mapping, alteration }, options).catch((thrown: unknown) => {
    throw alteration === undefined ? withAdvice(thrown, alterAdvice) : thrown;
  });
  const after: Sink = { ...definition, mappingVersion, version };
  await rewriteSink(parts.catalog, { before: sink, after }, options);
}

const alterAdvice =
  '"table.alter" (--alter-table) gives the table those that are expected; or let the sink fill another table';

export interface AppliedMapping {
  readonly sink: Sink;
  readonly mapping: SinkMapping;
  /** What becomes of its table; absent: it must have the columns already, or is made. */
  readonly alteration?: Alteration | undefined;
}

/**
 * Makes a sink map to something else and answers the version of the mapping: the old one when nothing differs. Table, token and mapping
 * document come first, then the progress document, which decides from when on it is used. The columns of the table change in between:
 * whoever finds them changed finds the mapping that belongs to them, by which rows of the one before go to their places.
 */
export async function applyMapping(
  parts: UpdateSinkParts,
  { sink, mapping, alteration }: AppliedMapping,
  options: Waiting,
): Promise<number> {
  const { catalog, tables, definitions } = parts;
  const { tableId, columns, allowedSignals } = mapping;
  const before: SinkMapping = {
    tableId: sink.table.tableId,
    columns: sink.table.columns,
    allowedSignals: sink.allowedSignals,
  };
  if (isDeepStrictEqual(mapping, before) && alteration === undefined) return sink.mappingVersion;
  const rollback = new Rollback();
  try {
    const { incarnation } = sink;
    const known = (await definitions.progress(incarnation, options))?.mappingVersion ?? 0;
    const follows = Math.max(known, sink.mappingVersion);
    let version = follows + 1;
    const names = columns.map(({ name }) => name);
    const isFound = alteration !== undefined && alteration.kind !== 'make';
    if (!isFound && (await ensureTable(tables, { tableId, columns: names }, options)) === 'created')
      rollback.add(`table ${tableId}`, (undoing) => dropUnused(parts, { incarnation, tableId }, undoing));
    await extendSinkToken(parts, { sink, bucket: bucketOf(tableId) }, options);
    // A mapping that stands there belongs to an update that did not get further, or that another process is about to
    // use.
    const altered = alteration?.kind === 'alter' ? { altered: { renamed: alteration.renamed } } : {};
    const kept = { incarnation, tableId, columns, allowedSignals, follows, ...altered };
    while (!(await keepMapping(catalog, { ...kept, version }, options))) version += 1;
    if (alteration?.kind === 'alter')
      await alterTable(parts, { ...alteration, tableId, incarnation, version }, options);
    await changeProgressMapping(parts, { incarnation, version }, options);
    return version;
  } catch (thrown) {
    await rollback.undo(parts.chores);
    throw thrown;
  }
}

/** After an unclear answer the progress document may name the mapping all the same: then its table stays. */
async function dropUnused(
  parts: UpdateSinkParts,
  { incarnation, tableId }: Pick<Mapping, 'incarnation' | 'tableId'>,
  options: Waiting,
): Promise<void> {
  const { catalog, definitions } = parts;
  const progress = await definitions.progress(incarnation, options);
  const id = progress === undefined ? undefined : mappingId(incarnation, progress.mappingVersion);
  const used = id === undefined ? undefined : await readDocument(catalog, { kind: mappingDocuments, id }, options);
  if (used?.value.tableId !== tableId) await dropEmptyTable(parts, tableId, options);
}

function keepMapping(catalog: Catalog, value: Mapping, options: Waiting): Promise<boolean> {
  const id = mappingId(value.incarnation, value.version);
  return createDocument(catalog, { kind: mappingDocuments, id, value }, options);
}
