import { isDeepStrictEqual } from 'node:util';
import type { SourceKey } from '../../core/ids.ts';
import type { Source, SourceType } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { rewriteSource } from '../store/write-document.ts';
import { sourceClaims } from '../tasks/claims.ts';
import { createSecret } from './create-secret.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from '../store/version-of.ts';

type UpdateSourceParts = Pick<Parts, 'addresses' | 'catalog' | 'clock' | 'definitions' | 'random' | 'tasks'>;

/** What somebody asks to change of a source; what is absent stays. */
interface SourceChanges {
  readonly type?: SourceType | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Of the version that the change makes. */
  readonly changeDescription?: string | undefined;
}

export interface SourceUpdate {
  readonly key: SourceKey;
  readonly wanted: SourceChanges;
  readonly change: Change;
}

/** Starts the task that changes a source; its sinks are not touched. A change that changes nothing makes no version (A23). */
export function updateSource(
  parts: UpdateSourceParts,
  { key, wanted, change }: SourceUpdate,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation: 'update',
      object: 'source',
      subject: key,
      change,
      claims: sourceClaims(key),
      admit: async (waiting) => {
        const source = await parts.definitions.source(key, waiting);
        if (isChanged(source, changed(source, wanted))) checkVersionLimit(source);
      },
      run: async (waiting) => {
        await update(parts, { key, wanted, change }, waiting);
        return 'Source has been updated successfully.';
      },
      outputs: sourceOutputs(parts.addresses, key),
    },
    options,
  );
}

async function update(
  parts: UpdateSourceParts,
  { key, wanted, change }: SourceUpdate,
  options: Waiting,
): Promise<void> {
  const source = await parts.definitions.source(key, options);
  const definition = changed(source, wanted);
  if (!isChanged(source, definition)) return;
  const secrets = definition.type === source.type ? source.secrets : [createSecret(parts)];
  const note = { description: wanted.changeDescription ?? 'Updated.', stamp: stampNow(parts, change.by) };
  const version = followingVersion(source.version, sourceDefinition(definition), note);
  const after: Source = { ...definition, secrets, version };
  await keepSourceVersion(parts.catalog, after, options);
  await rewriteSource(parts.catalog, { before: source, after }, options);
}

/** The source after the change; what is not wanted otherwise stays. */
function changed(source: Source, wanted: SourceChanges): Source {
  const { type = source.type, name = source.name, description = source.description } = wanted;
  return { ...source, type, name, description };
}

function isChanged(before: Source, after: Source): boolean {
  return !isDeepStrictEqual(sourceDefinition(after), sourceDefinition(before));
}
