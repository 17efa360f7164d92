import type { SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { By, Source, Stamp } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { changeSource } from '../store/write-document.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { stampNow } from './stamp-now.ts';
import { deleteSink, disableSink, enableSink } from './switch-sink.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from './version-of.ts';

export interface SourceSwitch {
  readonly key: SourceKey;
  readonly operation: 'disable' | 'enable' | 'delete';
  readonly by: By;
}

const results = {
  disable: 'Source has been disabled successfully.',
  enable: 'Source has been enabled successfully.',
  delete: 'Source has been deleted successfully.',
} as const;

/** Starts the task that disables, enables or deletes a source with its sinks. */
export function switchSource(
  context: AdminContext,
  { key, operation, by }: SourceSwitch,
  options: Waiting,
): Promise<Task> {
  return context.tasks.start(
    {
      operation,
      object: 'source',
      subject: key,
      claims: cascadeClaims(key),
      admit: async (waiting) => {
        const source = await context.definitions.source(key, waiting);
        if (operation !== 'delete') checkVersionLimit(source);
      },
      run: async (waiting) => {
        const source = await context.definitions.source(key, waiting);
        await work[operation](context, { source, stamp: stampNow(context, by) }, waiting);
        return results[operation];
      },
      outputs: sourceOutputs(context.addresses, key),
    },
    options,
  );
}

interface Switching {
  readonly source: Source;
  readonly stamp: Stamp;
}

const work = { disable, enable, delete: remove } as const;

/** The source first: senders are refused before its sinks end. */
async function disable(context: AdminContext, { source, stamp }: Switching, options: Waiting): Promise<void> {
  if (source.disabled === undefined) {
    const note = { description: 'Disabled.', stamp };
    const version = followingVersion(source.version, sourceDefinition(source), note);
    const after: Source = { ...source, version, disabled: { ...stamp, reason: 'API', withSource: false } };
    await keepSourceVersion(context.catalog, after, options);
    await changeSource(context.catalog, { key: source, change: () => after }, options);
  }
  await disableSinksOf(context, { source, stamp }, options);
}

/** Disables the sinks that still take events, so that enabling the source brings them back. */
export async function disableSinksOf(
  context: AdminContext,
  { source, stamp }: Switching,
  options: Waiting,
): Promise<void> {
  for (const sink of await context.definitions.sinks(source, options))
    if (sink.disabled === undefined) await disableSink(context, { sink, stamp, withSource: true }, options);
}

/** The sinks first: whatever a sender gets an answer for is taken by all of them. When one fails, all are closed again. */
async function enable(context: AdminContext, { source, stamp }: Switching, options: Waiting): Promise<void> {
  if (source.disabled === undefined) return;
  const back = (await context.definitions.sinks(source, options)).filter(
    ({ disabled }) => disabled?.withSource === true,
  );
  const enabled: Sink[] = [];
  try {
    for (const sink of back) {
      await enableSink(context, { sink, stamp, withSource: true }, options);
      enabled.push(sink);
    }
    const { disabled: _, ...rest } = source;
    const version = followingVersion(source.version, sourceDefinition(source), { description: 'Enabled.', stamp });
    const after: Source = { ...rest, version };
    await keepSourceVersion(context.catalog, after, options);
    await changeSource(context.catalog, { key: source, change: () => after }, options);
  } catch (thrown) {
    closeAgain(context, { source, stamp });
    throw thrown;
  }
}

function closeAgain(context: AdminContext, { source, stamp }: Switching): void {
  context.chores.add({
    name: `close sinks of ${source.branchId}/${source.sourceId}`,
    attempt: async (options) => {
      const now = await context.definitions.findSource(source, options);
      if (now?.disabled !== undefined && now.deleted === undefined)
        await disableSinksOf(context, { source: now, stamp }, options);
      return true;
    },
  });
}

async function remove(context: AdminContext, { source, stamp }: Switching, options: Waiting): Promise<void> {
  const after: Source = { ...source, deleted: { ...stamp, withSource: false } };
  await changeSource(context.catalog, { key: source, change: () => after }, options);
  await deleteSinksOf(context, { source, stamp }, options);
}

/** Deletes the sinks that are left, so that undeleting the source brings them back. */
export async function deleteSinksOf(
  context: AdminContext,
  { source, stamp }: Switching,
  options: Waiting,
): Promise<void> {
  for (const sink of await context.definitions.sinks(source, options))
    await deleteSink(context, { sink, stamp, withSource: true }, options);
}
