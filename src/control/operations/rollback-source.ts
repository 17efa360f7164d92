import { isDeepStrictEqual } from 'node:util';
import type { SourceDefinition } from '../../documents/version-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { findVersion, versionsOfSource } from '../store/versions.ts';
import { rewriteSource } from '../store/write-document.ts';
import { sourceClaims } from '../tasks/claims.ts';
import { createSecret } from './create-secret.ts';
import { checkSettings, checkValueFormat, flushChangedSinks, type PatchSettingsParts } from './patch-settings.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from '../store/version-of.ts';

type RollbackSourceParts = Pick<Parts, 'addresses' | 'random'> & PatchSettingsParts;

export interface SourceRollback {
  readonly key: SourceKey;
  /** The version to go back to. */
  readonly number: number;
  readonly change: Change;
}

/**
 * Starts the task that makes a version like an older one: name, description, type and settings. The source stays enabled or disabled,
 * its secrets stay unless the type changes. Nothing is changed when the source is like that already (A23).
 */
export function rollbackSource(
  parts: RollbackSourceParts,
  { key, number, change }: SourceRollback,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation: 'rollback',
      object: 'sourceVersion',
      subject: key,
      change,
      claims: sourceClaims(key),
      admit: async (waiting) => {
        const { source, definition } = await read(parts, { key, number }, waiting);
        if (isDeepStrictEqual(definition, sourceDefinition(source))) return;
        checkVersionLimit(source);
        checkDefinition(parts, definition);
      },
      run: async (waiting) => {
        await rollback(parts, { key, number, change }, waiting);
        return 'Source version was rolled back successfully.';
      },
      outputs: sourceOutputs(parts.addresses, key),
    },
    options,
  );
}

async function read(
  { definitions, catalog }: Pick<Parts, 'catalog' | 'definitions'>,
  { key, number }: Omit<SourceRollback, 'change'>,
  options: Waiting,
): Promise<{ readonly source: Source; readonly definition: SourceDefinition }> {
  const source = await definitions.source(key, options);
  const { definition } = await findVersion(catalog, { of: versionsOfSource(source), number }, options);
  return { source, definition };
}

/** What was right when the version was made may not be so in this installation, as it is now. */
function checkDefinition(parts: Pick<Parts, 'schemaRegistry'>, { settings }: SourceDefinition): void {
  const entries = Object.entries(settings).map(([key, value]) => ({ key, value }));
  checkValueFormat(parts, checkSettings(entries, 'source'));
}

async function rollback(
  parts: RollbackSourceParts,
  { key, number, change }: SourceRollback,
  options: Waiting,
): Promise<void> {
  const { source, definition } = await read(parts, { key, number }, options);
  if (isDeepStrictEqual(definition, sourceDefinition(source))) return;
  const secrets = definition.type === source.type ? source.secrets : [createSecret(parts)];
  const note = { description: `Rollback to version "${number}".`, stamp: stampNow(parts, change.by) };
  const version = followingVersion(source.version, definition, note);
  const after: Source = { ...source, ...definition, secrets, version };
  // A flush that nothing follows does no harm, and a change that stands is never asked for again.
  await flushChangedSinks(parts, { source, after }, options);
  await keepSourceVersion(parts.catalog, after, options);
  await rewriteSource(parts.catalog, { before: source, after }, options);
}
