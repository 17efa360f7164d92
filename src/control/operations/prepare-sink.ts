import { bucketOf } from '../../core/bucket.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { earlierIncarnationDocuments } from '../../documents/earlier-incarnation-document.ts';
import { earlierIncarnationId, mappingId, progressId } from '../../documents/document-id.ts';
import type { Backfill } from '../../core/backfill.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Mapping } from '../../core/mapping.ts';
import { beginsAfter, close } from '../../core/progress/switch.ts';
import { endsOf, type Ends, type SourceEnds } from '../../core/progress/source-ends.ts';
import { importedStatistics } from '../../core/progress/statistics.ts';
import { beginProgress, isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Stamp } from '../../core/source.ts';
import { sinkTopic } from '../../core/topic-name.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { createDocument, putDocument, removeDocument } from '../../documents/change-document.ts';
import { discardProgress } from './change-progress.ts';
import { dropEmptyTable, ensureTable, withAdvice, type EnsureTableParts } from './ensure-table.ts';
import { describeKnownTopic } from '../ends/read-ends.ts';
import type { Rollback } from './rollback.ts';
import type { SinkMaking } from './sink-making.ts';
import { takeUnusedIncarnation, type TakeUnusedIncarnationParts } from './take-unused-incarnation.ts';
import { unfenced } from './unfenced.ts';
import { sinkTokenDescription } from './sink-token.ts';
import { keepSinkVersion } from '../store/version-of.ts';

export type PrepareSinkParts = Pick<
  Parts,
  'clock' | 'definitions' | 'ledger' | 'ownCatalog' | 'sinkLog' | 'sourceLog' | 'tokens'
> &
  TakeUnusedIncarnationParts &
  EnsureTableParts;

/** Largest record of a topic: an event, a row at its limit, or a dead letter with its body in base64 as far as that fits. */
export const maxRecordBytes = limits.recordBytes;

export interface SinkPreparation extends SinkMaking {
  readonly sourceTopic: { readonly name: string; readonly identity: string };
  readonly stamp: Stamp;
  readonly rollback: Rollback;
}

/**
 * Makes everything that a sink needs and answers its document, which the caller writes to make it visible. Until then
 * nothing of it can be seen, and a crash leaves only what `sweep` removes.
 */
export async function prepareSink(
  parts: PrepareSinkParts,
  preparation: SinkPreparation,
  options: Waiting,
): Promise<Sink> {
  const { catalog } = parts;
  const { key, kept, definition, version, created, disabled, returnsWith, before } = preparation;
  await makeTable(parts, preparation, options);
  await noteEarlier(parts, before, options);
  const incarnation = await takeUnusedIncarnation(parts, options);
  await makeDelivery(parts, { ...preparation, incarnation }, options);
  const tokenId = await makeToken(parts, { ...preparation, incarnation }, options);
  const sink: Sink = {
    ...kept,
    ...key,
    ...definition,
    version,
    created,
    incarnation,
    mappingVersion: 1,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(returnsWith === undefined ? {} : { returnsWith }),
  };
  await keepSinkVersion(catalog, sink, options);
  return sink;
}

/** What the deleted incarnation still has to deliver is found by this note when the sink names another one. */
async function noteEarlier(
  { catalog, definitions }: Pick<Parts, 'catalog' | 'definitions'>,
  before: Sink | undefined,
  options: Waiting,
): Promise<void> {
  const former = before && (await definitions.progress(before.incarnation, options));
  if (former === undefined) return;
  const { key, incarnation } = former;
  const id = earlierIncarnationId(key, incarnation);
  const value = { key, incarnation, imported: importedStatistics(former) };
  await createDocument(catalog, { kind: earlierIncarnationDocuments, id, value }, options);
}

type OfIncarnation = SinkPreparation & { readonly incarnation: Incarnation };

/** A disabled sink gets its token when it is enabled, unless it has the past to deliver before that. */
async function makeToken(
  parts: Pick<Parts, 'ownCatalog' | 'tokens'>,
  { key, definition, backfill, disabled, stamp, rollback, incarnation }: OfIncarnation,
  options: Waiting,
): Promise<string | undefined> {
  if (disabled !== undefined && backfill === 'latest') return undefined;
  const writeBuckets = [bucketOf(definition.table.tableId)];
  const scope = { kind: 'sink', sink: key, incarnation, writeBuckets, canReadAllFileUploads: true } as const;
  const { token } = await parts.tokens.issue(
    { description: sinkTokenDescription(key), scope, created: stamp },
    options,
  );
  rollback.add(`token ${token.id}`, (undoing) =>
    removeDocument(parts.ownCatalog, { collection: 'token', id: token.id }, undoing),
  );
  return token.id;
}

async function makeTable(
  parts: PrepareSinkParts,
  { definition: { table }, rollback }: SinkPreparation,
  options: Waiting,
): Promise<void> {
  const { tableId } = table;
  const columns = table.columns.map(({ name }) => name);
  const made = await ensureTable(parts.tables, { tableId, columns }, options).catch((thrown: unknown) => {
    throw withAdvice(thrown, 'Give the sink the columns that the table has, in their order, or another table');
  });
  if (made === 'created') rollback.add(`table ${tableId}`, (undoing) => dropEmptyTable(parts, tableId, undoing));
}

/** Topic, mapping, ledger row and progress of an incarnation, in this order: whatever exists, `sweep` finds by the topic. */
async function makeDelivery(
  parts: PrepareSinkParts,
  { key, definition, backfill, before, sourceTopic, disabled, rollback, incarnation }: OfIncarnation,
  options: Waiting,
): Promise<void> {
  const { catalog, sourceLog, sinkLog, ledger } = parts;
  const { allowedSignals } = definition;
  const { tableId, columns } = definition.table;
  const name = sinkTopic(key, incarnation);
  rollback.add(`incarnation ${incarnation}`, (undoing) =>
    discardIncarnation(unfenced(parts), { incarnation, topic: name }, undoing),
  );
  const { partitions } = await describeKnownTopic(sourceLog, sourceTopic, options);
  const topic = await sinkLog.createTopic({ name, partitions, maxRecordBytes }, options);
  const mapping: Mapping = { incarnation, version: 1, tableId, columns, allowedSignals };
  await putDocument(catalog, { kind: mappingDocuments, id: mappingId(incarnation, 1), value: mapping }, options);
  await ledger.createLedger(incarnation, options);
  // Read before the ends: a former incarnation that has delivered everything by now ends below the stable ends that are
  // read afterwards.
  const former = await formerProgress(parts, { before, sourceTopic }, options);
  const ranges = await sourceLog.ranges(sourceTopic.name, options);
  const ends = endsOf(ranges);
  const starts =
    backfill === 'latest'
      ? beginsAfter(former, ends)
      : await startsInThePast(sourceLog, { topic: sourceTopic.name, ranges, backfill }, options);
  const topics = {
    source: sourceTopic.name,
    sourceIdentity: sourceTopic.identity,
    sink: name,
    sinkIdentity: topic.identity,
  };
  const begun = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts, at: parts.clock.now() });
  // A sink that is born disabled takes nothing but the past that it was made for.
  const durable = backfill === 'latest' ? starts : ends.durable;
  const value = disabled === undefined ? begun : closed(begun, { ...ends, durable });
  await putDocument(catalog, { kind: progressDocuments, id: progressId(incarnation), value }, options);
}

/** Where each partition begins for a sink that wants the past. */
async function startsInThePast(
  log: EventLog,
  past: {
    readonly topic: string;
    readonly ranges: readonly PartitionRange[];
    readonly backfill: Exclude<Backfill, 'latest'>;
  },
  options: Waiting,
): Promise<Ends> {
  const { topic, ranges, backfill } = past;
  const starts = ranges.map(async ({ first, stableEnd }, partition) => {
    if (backfill === 'earliest') return [partition, first] as const;
    const found = await log.offsetForTime({ topic, partition }, backfill.ms, options);
    // Never behind the end that the first interval is taken to begin at.
    return [partition, Math.max(first, Math.min(found, stableEnd))] as const;
  });
  return new Map(await Promise.all(starts));
}

/** What the existence before it has taken of the same topic. */
async function formerProgress(
  { definitions }: Pick<Parts, 'definitions'>,
  { before, sourceTopic }: Pick<SinkPreparation, 'before' | 'sourceTopic'>,
  options: Waiting,
): Promise<SinkProgress | undefined> {
  if (before === undefined) return undefined;
  const former = await definitions.progress(before.incarnation, options);
  return former?.topics.sourceIdentity === sourceTopic.identity ? former : undefined;
}

function closed(progress: SinkProgress, ends: SourceEnds): SinkProgress {
  const after = close(progress, ends, { deleted: false });
  return isRefused(after) ? progress : after;
}

/**
 * Takes back an incarnation that never became visible. One that has a progress document is closed where it stands and
 * left to the import's own removal; the parts of any other are removed here. Rejects when they are in stores of another
 * installation.
 */
export async function discardIncarnation(
  parts: PrepareSinkParts,
  { incarnation, topic }: { readonly incarnation: Incarnation; readonly topic: string },
  options: Waiting,
): Promise<void> {
  const { catalog, sinkLog, ledger, ownership } = parts;
  if (await discardProgress(parts, incarnation, options)) return;
  await ownership.assertOurs('tables', options);
  await ledger.deleteLedger(incarnation, options);
  for (const { id } of await catalog.list({ collection: 'mapping', prefix: `${progressId(incarnation)}/` }, options))
    await removeDocument(catalog, { collection: 'mapping', id }, options);
  await ownership.assertOurs('sink-log', options);
  await sinkLog.deleteTopic(topic, options);
}
