import { isDeepStrictEqual } from 'node:util';
import type { SourceDefinition } from '../../documents/version-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import type { Change } from '../audit/change.ts';
import { findVersion, versionsOfSource } from '../store/versions.ts';
import { rewriteSource } from '../store/write-document.ts';
import { sourceClaims } from '../tasks/claims.ts';
import { createSecret } from './create-secret.ts';
import { checkSettings, checkValueFormat, flushChangedSinks } from './patch-settings.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from '../store/version-of.ts';

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
  context: AdminContext,
  { key, number, change }: SourceRollback,
  options: Waiting,
): Promise<Task> {
  return context.tasks.start(
    {
      operation: 'rollback',
      object: 'sourceVersion',
      subject: key,
      change,
      claims: sourceClaims(key),
      admit: async (waiting) => {
        const { source, definition } = await read(context, { key, number }, waiting);
        if (isDeepStrictEqual(definition, sourceDefinition(source))) return;
        checkVersionLimit(source);
        checkDefinition(context, definition);
      },
      run: async (waiting) => {
        await rollback(context, { key, number, change }, waiting);
        return 'Source version was rolled back successfully.';
      },
      outputs: sourceOutputs(context.addresses, key),
    },
    options,
  );
}

async function read(
  { definitions, catalog }: AdminContext,
  { key, number }: Omit<SourceRollback, 'change'>,
  options: Waiting,
): Promise<{ readonly source: Source; readonly definition: SourceDefinition }> {
  const source = await definitions.source(key, options);
  const { definition } = await findVersion(catalog, { of: versionsOfSource(source), number }, options);
  return { source, definition };
}

/** What was right when the version was made may not be so in this installation, as it is now. */
function checkDefinition(context: AdminContext, { settings }: SourceDefinition): void {
  const entries = Object.entries(settings).map(([key, value]) => ({ key, value }));
  checkValueFormat(context, checkSettings(entries, 'source'));
}

async function rollback(
  context: AdminContext,
  { key, number, change }: SourceRollback,
  options: Waiting,
): Promise<void> {
  const { source, definition } = await read(context, { key, number }, options);
  if (isDeepStrictEqual(definition, sourceDefinition(source))) return;
  const secrets = definition.type === source.type ? source.secrets : [createSecret(context)];
  const note = { description: `Rollback to version "${number}".`, stamp: stampNow(context, change.by) };
  const version = followingVersion(source.version, definition, note);
  const after: Source = { ...source, ...definition, secrets, version };
  // A flush that nothing follows does no harm, and a change that stands is never asked for again.
  await flushChangedSinks(context, { source, after }, options);
  await keepSourceVersion(context.catalog, after, options);
  await rewriteSource(context.catalog, { before: source, after }, options);
}
