import { branchPrefix } from '../../documents/document-id.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { checkSourceCount } from './check-counts.ts';
import { endLeftSinks } from './end-left-sinks.ts';
import { establishSource, type EstablishSourceParts } from './establish-source.ts';
import { restored, type SinkMaking } from './sink-making.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, sourceDefinition } from '../store/version-of.ts';

type UndeleteSourceParts = Pick<Parts, 'addresses' | 'clock' | 'maxSources' | 'sendersServed'> & EstablishSourceParts;

/**
 * Starts the task that brings a deleted source back as a new existence: with the definition, settings, secrets, versions and partitions
 * that it had, disabled if it was, and with the sinks that were deleted with it.
 */
export async function undeleteSource(
  parts: UndeleteSourceParts,
  { key, change }: { readonly key: SourceKey; readonly change: Change },
  options: Waiting,
): Promise<Task> {
  const { tasks, addresses, definitions } = parts;
  await definitions.deletedSource(key, options);
  return tasks.serial.run(`admit ${branchPrefix(key.branchId)}`, () =>
    tasks.start(
      {
        operation: 'undelete',
        object: 'source',
        subject: key,
        change,
        claims: cascadeClaims(key),
        admit: async (waiting) => {
          checkVersionLimit(await definitions.deletedSource(key, waiting));
          await checkSourceCount(parts, key.branchId, waiting);
        },
        run: async (waiting) => {
          await undelete(parts, { key, change }, waiting);
          return 'Source has been undeleted successfully.';
        },
        outputs: sourceOutputs(addresses, key),
      },
      options,
    ),
  );
}

async function undelete(
  parts: UndeleteSourceParts,
  { key, change }: { readonly key: SourceKey; readonly change: Change },
  options: Waiting,
): Promise<void> {
  const before = await parts.definitions.deletedSource(key, options);
  const stamp = stampNow(parts, change.by);
  await endLeftSinks(parts, { key, before, stamp }, options);
  const sinks = await sinksThatReturn(parts, before, options);
  const { deleted: _, disabled, retired: __, ...kept } = before;
  const { secrets, created, partitions } = kept;
  const definition = sourceDefinition(before);
  const note = { description: undeletedText(before), stamp };
  const version = followingVersion(before.version, definition, note);
  const establishment = { key, kept, definition, version, secrets, created, partitions, before, sinks, stamp };
  await establishSource(parts, { ...establishment, ...(disabled === undefined ? {} : { disabled }) }, options);
  await parts.sendersServed?.(options);
}

/** Those that were deleted with this existence of the source; others stay deleted. */
async function sinksThatReturn(
  { definitions }: Pick<Parts, 'definitions'>,
  source: Source,
  options: Waiting,
): Promise<readonly SinkMaking[]> {
  const sinks = await definitions.deletedSinks(source, options);
  return sinks
    .filter(({ deleted }) => deleted?.withSource === true && deleted.sourceIncarnation === source.incarnation)
    .map((sink) => restored(sink, { disabled: sink.disabled, returnsWith: source.incarnation }));
}

/** Text of the version under which a deleted object comes back. */
export function undeletedText({ version }: Pick<Source, 'version'>): string {
  return `Undeleted to version "${version.number}".`;
}
