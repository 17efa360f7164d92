import { sourceDocumentId } from '../../core/documents/document-id.ts';
import type { SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Sink } from '../../core/sink.ts';
import type { By, Disabled, Source, Stamp } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { prepareSink } from './prepare-sink.ts';
import { Rollback } from './rollback.ts';
import { sinkExists, showSink } from './show-sink.ts';
import { revokeWhenDelivered } from './sink-token.ts';
import type { SinkPlan } from './sink-plan.ts';
import { stampNow } from './stamp-now.ts';
import { withSourceReason } from './switch-sink.ts';
import { sinkOutputs } from './task-outputs.ts';
import { checkVersionLimit } from './version-of.ts';

/** Starts the task that makes a sink. Refusals that need no work come at once: it exists, too many, no such source. */
export async function createSink(
  context: AdminContext,
  { plan, by }: { readonly plan: SinkPlan; readonly by: By },
  options: Waiting,
): Promise<Task> {
  const { key } = plan;
  const { tasks, addresses } = context;
  const source = sourceDocumentId(key);
  return tasks.serial.run(`admit ${source}`, () =>
    tasks.start(
      {
        operation: 'create',
        object: 'sink',
        subject: key,
        claims: sinkClaims(key),
        alreadyExists: () => sinkExists(`${addresses.projectId}/${key.branchId}/${key.sourceId}/${key.sinkId}`),
        admit: (waiting) => admitSink(context, key, waiting),
        run: (waiting) => tasks.serial.run(`create ${source}`, () => makeSink(context, { plan, by }, waiting)),
        outputs: sinkOutputs(addresses, key),
      },
      options,
    ),
  );
}

async function admitSink(context: AdminContext, key: SinkKey, options: Waiting): Promise<void> {
  const { definitions, tasks } = context;
  await definitions.source(key, options);
  const before = await definitions.findSink(key, options);
  if (before !== undefined && before.deleted === undefined) throw sinkExists(key.sinkId);
  if (before !== undefined) checkVersionLimit(before);
  const ids = new Set<string>((await definitions.sinks(key, options)).map(({ sinkId }) => sinkId));
  for (const { branchId, sourceId, sinkId } of tasks.running('api.create.sink'))
    if (branchId === key.branchId && sourceId === key.sourceId && sinkId !== undefined) ids.add(sinkId);
  if (ids.size >= limits.sinksPerSource) throw tooManySinks(ids.size);
}

/** The refusal of a sink past the limit. */
export function tooManySinks(count: number): ApiError {
  const message = `sink count limit reached: the source has ${count} sinks, the maximum is ${limits.sinksPerSource}`;
  return new ApiError('sinkCountLimitReached', message);
}

async function makeSink(
  context: AdminContext,
  { plan, by }: { readonly plan: SinkPlan; readonly by: By },
  options: Waiting,
): Promise<string> {
  const source = await context.definitions.source(plan.key, options);
  const before = await context.definitions.findSink(plan.key, options);
  const stamp = stampNow(context, by);
  const rollback = new Rollback();
  const sourceTopic = { name: source.topic, identity: source.topicIdentity };
  const disabled = disabledWith(source, stamp);
  try {
    const preparation = { plan, sourceTopic, before, stamp, rollback, ...(disabled === undefined ? {} : { disabled }) };
    const sink = await prepareSink(context, preparation, options);
    await showSink(context, { sink, before, rollback }, options);
    if (disabled !== undefined) revokeLater(context, sink);
    return 'Sink has been created successfully.';
  } catch (thrown) {
    await rollback.undo(context.chores);
    throw thrown;
  }
}

/** A sink of a disabled source waits with it. */
function disabledWith({ disabled }: Source, stamp: Stamp): Disabled | undefined {
  return disabled === undefined ? undefined : { ...stamp, reason: withSourceReason, withSource: true };
}

function revokeLater(context: AdminContext, { branchId, sourceId, sinkId, incarnation, tokenId }: Sink): void {
  if (tokenId !== undefined)
    revokeWhenDelivered(context, { key: { branchId, sourceId, sinkId }, incarnation, tokenId });
}
