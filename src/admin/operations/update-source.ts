import { isDeepStrictEqual } from 'node:util';
import type { SourceKey } from '../../core/ids.ts';
import type { By, Source } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import type { UpdateSourceBody } from '../schemas/source-body.ts';
import { changeSource } from '../store/write-document.ts';
import { sourceClaims } from '../tasks/claims.ts';
import { createSecret } from './create-secret.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from './version-of.ts';

export interface SourceUpdate {
  readonly key: SourceKey;
  readonly body: UpdateSourceBody;
  readonly by: By;
}

/** Starts the task that changes a source; its sinks are not touched. A change that changes nothing makes no version (A23). */
export function updateSource(context: AdminContext, { key, body, by }: SourceUpdate, options: Waiting): Promise<Task> {
  return context.tasks.start(
    {
      operation: 'update',
      object: 'source',
      subject: key,
      claims: sourceClaims(key),
      admit: async (waiting) => {
        const source = await context.definitions.source(key, waiting);
        if (isChanged(source, changed(source, body))) checkVersionLimit(source);
      },
      run: async (waiting) => {
        await update(context, { key, body, by }, waiting);
        return 'Source has been updated successfully.';
      },
      outputs: sourceOutputs(context.addresses, key),
    },
    options,
  );
}

async function update(context: AdminContext, { key, body, by }: SourceUpdate, options: Waiting): Promise<void> {
  const source = await context.definitions.source(key, options);
  const definition = changed(source, body);
  if (!isChanged(source, definition)) return;
  const secrets = definition.type === source.type ? source.secrets : [createSecret(context)];
  const note = { description: body.changeDescription ?? 'Updated.', stamp: stampNow(context, by) };
  const version = followingVersion(source.version, sourceDefinition(definition), note);
  const after: Source = { ...definition, secrets, version };
  await keepSourceVersion(context.catalog, after, options);
  await changeSource(context.catalog, { key, change: () => after }, options);
}

/** The source after the change; what the body does not name stays. */
function changed(source: Source, body: UpdateSourceBody): Source {
  const { type = source.type, name = source.name, description = source.description } = body;
  return { ...source, type, name, description };
}

function isChanged(before: Source, after: Source): boolean {
  return !isDeepStrictEqual(sourceDefinition(after), sourceDefinition(before));
}
