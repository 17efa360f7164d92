import { isDeepStrictEqual } from 'node:util';
import type { SinkDefinition } from '../../documents/version-document.ts';
import type { SinkKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { findVersion, versionsOfSink } from '../store/versions.ts';
import { rewriteSink } from '../store/write-document.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { checkSettings, flushChangedSink, type PatchSettingsParts } from './patch-settings.ts';
import { finishAltering } from './alter-table.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { settlingSink } from './settle.ts';
import { checkMapping, knownMapping, type WantedMapping } from './sink-plan.ts';
import { stampNow } from './stamp-now.ts';
import { sinkOutputs } from './task-outputs.ts';
import { applyMapping, type UpdateSinkParts } from './update-sink.ts';
import { checkVersionLimit, followingVersion, keepSinkVersion, sinkDefinition } from '../store/version-of.ts';

type RollbackSinkParts = UpdateSinkParts & PatchSettingsParts;

export interface SinkRollback {
  readonly key: SinkKey;
  /** The version to go back to. */
  readonly number: number;
  readonly change: Change;
}

/**
 * Starts the task that makes a version like an older one: name, description, mapping, table and settings. The mapping is checked in the
 * request and its table is checked or made as in an update; the sink stays enabled or disabled. Nothing is changed when the sink is
 * like that already (A23).
 */
export function rollbackSink(
  parts: RollbackSinkParts,
  { key, number, change }: SinkRollback,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation: 'rollback',
      object: 'sinkVersion',
      subject: key,
      change,
      claims: sinkClaims(key),
      admit: async (waiting) => {
        const { sink, definition } = await read(parts, { key, number }, waiting);
        if (isDeepStrictEqual(definition, sinkDefinition(sink))) return;
        checkVersionLimit(sink);
        checkOwnSettings(definition);
        await checkMapping(mappingIn(definition), parts.trials, waiting);
      },
      run: async (waiting) => {
        const { definition } = await read(parts, { key, number }, waiting);
        await aloneOnBuckets(parts.tasks.serial, [definition.table.tableId], () =>
          settlingSink(parts, key, () => rollback(parts, { key, number, change }, waiting)),
        );
        return 'Sink version was rolled back successfully.';
      },
      outputs: sinkOutputs(parts.addresses, key),
    },
    options,
  );
}

async function read(
  { definitions, catalog }: Pick<Parts, 'catalog' | 'definitions'>,
  { key, number }: Omit<SinkRollback, 'change'>,
  options: Waiting,
): Promise<{ readonly sink: Sink; readonly definition: SinkDefinition }> {
  const sink = await definitions.sink(key, options);
  const { definition } = await findVersion(catalog, { of: versionsOfSink(sink), number }, options);
  return { sink, definition };
}

/** Columns, templates and settings are checked again: another version of the product may have kept them. */
function checkOwnSettings({ settings }: SinkDefinition): void {
  checkSettings(
    Object.entries(settings).map(([key, value]) => ({ key, value })),
    'sink',
  );
}

function mappingIn({ table: { tableId, columns }, allowedSignals }: SinkDefinition): WantedMapping {
  return { tableId, columns, allowedSignals };
}

async function rollback(
  parts: RollbackSinkParts,
  { key, number, change }: SinkRollback,
  options: Waiting,
): Promise<void> {
  const { sink, definition } = await read(parts, { key, number }, options);
  await finishAltering(parts, sink.incarnation, options);
  if (isDeepStrictEqual(definition, sinkDefinition(sink))) return;
  const source = await parts.definitions.source(key, options);
  const mapping = knownMapping(mappingIn(definition));
  const note = { description: `Rollback to version "${number}".`, stamp: stampNow(parts, change.by) };
  const version = followingVersion(sink.version, definition, note);
  // A flush that nothing follows does no harm. The kept version tells whoever finds the mapping in use what belongs to
  // it.
  await flushChangedSink(parts, { source, sink, settings: definition.settings }, options);
  await keepSinkVersion(parts.catalog, { ...sink, ...definition, version }, options);
  const mappingVersion = await applyMapping(parts, { sink, mapping }, options);
  const after: Sink = { ...sink, ...definition, mappingVersion, version };
  await rewriteSink(parts.catalog, { before: sink, after }, options);
}
