import { mappingId, progressId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Mapping } from '../../core/mapping.ts';
import { close } from '../../core/progress/switch.ts';
import { beginProgress, isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Disabled, Stamp } from '../../core/source.ts';
import { sinkTopic } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { putDocument, removeDocument } from '../store/change-document.ts';
import { takeIncarnation } from '../store/counter.ts';
import { randomText } from '../store/random-text.ts';
import { discardProgress } from './change-progress.ts';
import { bucketOf, dropEmptyTable, ensureTable } from './ensure-table.ts';
import { describeKnownTopic, endsOf } from './read-ends.ts';
import type { Rollback } from './rollback.ts';
import type { SinkPlan } from './sink-plan.ts';
import { unfenced } from './unfenced.ts';
import { sinkTokenDescription } from './sink-token.ts';
import { followingVersion, keepSinkVersion, sinkDefinition } from './version-of.ts';

/** Largest record of a topic: an event, a row at its limit, or a dead letter with its body in base64 as far as that fits. */
export const maxRecordBytes = limits.recordBytes;

export interface SinkPreparation {
  readonly plan: SinkPlan;
  readonly sourceTopic: { readonly name: string; readonly identity: string };
  /** The deleted sink under this id, whose versions go on. */
  readonly before: Sink | undefined;
  readonly stamp: Stamp;
  /** Given when the source is disabled: the sink waits with it. */
  readonly disabled?: Disabled;
  readonly rollback: Rollback;
}

/**
 * Makes everything that a sink needs and answers its document, which the caller writes to make it visible. Until then
 * nothing of it can be seen, and a crash leaves only what `sweep` removes.
 */
export async function prepareSink(
  context: AdminContext,
  preparation: SinkPreparation,
  options: Waiting,
): Promise<Sink> {
  const { catalog, random } = context;
  const { plan, before, stamp, disabled, rollback } = preparation;
  await makeTable(context, preparation, options);
  const incarnation = await takeIncarnation(catalog, randomText(random, 16), options);
  await makeDelivery(context, { ...preparation, incarnation }, options);
  const { token } = await context.tokens.issue(
    {
      description: sinkTokenDescription(plan.key),
      scope: {
        kind: 'sink',
        sink: plan.key,
        incarnation,
        writeBuckets: [bucketOf(plan.tableId)],
        canReadAllFileUploads: true,
      },
      created: stamp,
    },
    options,
  );
  rollback.add(`token ${token.id}`, (undoing) =>
    removeDocument(context.ownCatalog, { collection: 'token', id: token.id }, undoing),
  );
  const { key, name, description, allowedSignals, tableId, columns } = plan;
  const definition = {
    ...key,
    type: 'table',
    name,
    description,
    allowedSignals,
    table: { type: 'keboola', tableId, columns },
    settings: {},
    created: before?.created ?? stamp,
    incarnation,
    mappingVersion: 1,
    tokenId: token.id,
    ...(disabled === undefined ? {} : { disabled }),
  } as const;
  const note = { description: 'New sink.', stamp };
  const sink: Sink = { ...definition, version: followingVersion(before?.version, sinkDefinition(definition), note) };
  await keepSinkVersion(catalog, sink, options);
  return sink;
}

async function makeTable(context: AdminContext, { plan, rollback }: SinkPreparation, options: Waiting): Promise<void> {
  const columns = plan.columns.map(({ name }) => name);
  if ((await ensureTable(context.tables, { tableId: plan.tableId, columns }, options)) === 'created')
    rollback.add(`table ${plan.tableId}`, (undoing) => dropEmptyTable(context, plan.tableId, undoing));
}

/** Topic, mapping, ledger row and progress of an incarnation, in this order: whatever exists, `sweep` finds by the topic. */
async function makeDelivery(
  context: AdminContext,
  { plan, sourceTopic, disabled, rollback, incarnation }: SinkPreparation & { readonly incarnation: Incarnation },
  options: Waiting,
): Promise<void> {
  const { catalog, sourceLog, sinkLog, tables } = context;
  const { key, tableId, columns, allowedSignals } = plan;
  const name = sinkTopic(key, incarnation);
  rollback.add(`incarnation ${incarnation}`, (undoing) =>
    discardIncarnation(unfenced(context), { incarnation, topic: name }, undoing),
  );
  const { partitions } = await describeKnownTopic(sourceLog, sourceTopic, options);
  const topic = await sinkLog.createTopic({ name, partitions, maxRecordBytes }, options);
  const mapping: Mapping = { incarnation, version: 1, tableId, columns, allowedSignals };
  await putDocument(catalog, { collection: 'mapping', id: mappingId(incarnation, 1), value: mapping }, options);
  await tables.createLedger(incarnation, options);
  const ranges = await sourceLog.ranges(sourceTopic.name, options);
  const ends = endsOf(ranges);
  const starts = plan.backfill === 'latest' ? ends : new Map(ranges.map(({ first }, partition) => [partition, first]));
  const topics = {
    source: sourceTopic.name,
    sourceIdentity: sourceTopic.identity,
    sink: name,
    sinkIdentity: topic.identity,
  };
  const begun = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts });
  const value = disabled === undefined ? begun : closed(begun, ends);
  await putDocument(catalog, { collection: 'progress', id: progressId(incarnation), value }, options);
}

function closed(progress: SinkProgress, ends: ReadonlyMap<number, number>): SinkProgress {
  const after = close(progress, ends, { deleted: false });
  return isRefused(after) ? progress : after;
}

/**
 * Takes back an incarnation that never became visible. One that has a progress document is closed where it stands and
 * left to the import's own removal; of any other the parts go here.
 */
export async function discardIncarnation(
  context: AdminContext,
  { incarnation, topic }: { readonly incarnation: Incarnation; readonly topic: string },
  options: Waiting,
): Promise<void> {
  const { catalog, sinkLog, tables } = context;
  if (await discardProgress(context, incarnation, options)) return;
  await tables.deleteLedger(incarnation, options);
  for (const { id } of await catalog.list({ collection: 'mapping', prefix: `${progressId(incarnation)}/` }, options))
    await removeDocument(catalog, { collection: 'mapping', id }, options);
  await sinkLog.deleteTopic(topic, options);
}
