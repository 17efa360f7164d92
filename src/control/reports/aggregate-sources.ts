import { setImmediate } from 'node:timers/promises';
import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import type { EarlierIncarnation } from '../../core/earlier-incarnation.ts';
import type { Incarnation } from '../../core/ids.ts';
import { localLevel, sumLevels, type Level, type Levels } from '../../core/accounts/levels.ts';
import { closedEnds } from '../../core/progress/flush.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Sink } from '../../core/sink.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import type { Source } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { listProgress } from '../store/list-progress.ts';
import { sinkFiles, type SinkFile } from './sink-files.ts';
import { levelsOf, levelsOfGone } from './sink-levels.ts';
import { openSlices } from './open-slices.ts';
import { describeKnownTopic, readEnds } from '../ends/read-ends.ts';
import { readStatuses } from '../store/read-statuses.ts';

type AggregateSourcesParts = Pick<
  Parts,
  'catalog' | 'clock' | 'definitions' | 'openSlices' | 'sourceLog' | 'telemetry'
>;

interface AggregatedSink extends Aggregated {
  readonly sink: Sink;
}

interface Aggregated {
  readonly levels: Levels;
  /** What waits, and the last import. */
  readonly files: readonly SinkFile[];
}

export interface AggregatedSource {
  readonly source: Source;
  readonly sinks: readonly AggregatedSink[];
}

const sourcesAtOnce = 8;

/**
 * Sources with their sinks and where the rows of each are. Reads what belongs together at once: a list of sinks and the
 * ends of one topic for each source, and the progress documents in pages. For a source whose topic does not answer, the
 * level before staging is left out.
 */
export async function aggregateSources(
  parts: AggregateSourcesParts,
  sources: readonly Source[],
  options: Waiting,
): Promise<readonly AggregatedSource[]> {
  const taken = Map.groupBy(await openSlices(parts), ({ incarnation }) => incarnation);
  const statuses = Map.groupBy(await readStatuses(parts, '', options), ({ incarnation }) => incarnation);
  const found = await readSources(parts, sources, options);
  const ends = new Map(found.map(({ source, ends: of }) => [sourceDocumentId(source), of]));
  const earlier = await earlierOfEach(parts, found, options);
  const sinks = new Map(
    found.flatMap((one) =>
      one.sinks.flatMap((sink) => [...(earlier.get(sink) ?? []), sink].map((of) => [of.incarnation, sink] as const)),
    ),
  );
  const aggregated = new Map<Incarnation, Aggregated>();
  for await (const progress of listProgress(parts.catalog, sinks.keys(), options)) {
    const { incarnation } = progress;
    const sink = sinks.get(incarnation);
    if (sink === undefined) continue;
    const facts = { sink, progress, taken: taken.get(incarnation) ?? [], statuses: statuses.get(incarnation) ?? [] };
    aggregated.set(incarnation, aggregate({ ...facts, ends: ends.get(sourceDocumentId(sink)) }));
  }
  return found.map(({ source, sinks: of }) => ({
    source,
    sinks: of.map((sink) => {
      const own = aggregated.get(sink.incarnation) ?? { levels: {}, files: [] };
      const others = (earlier.get(sink) ?? []).map(
        (one) => aggregated.get(one.incarnation) ?? { levels: levelsOfGone(one), files: [] },
      );
      const all = [...others, own];
      return { sink, levels: sumLevels(all.map(({ levels }) => levels)), files: all.flatMap(({ files }) => files) };
    }),
  }));
}

/** The incarnations that were deleted of each sink that has come back, all read at once. */
async function earlierOfEach(
  { definitions }: Pick<Parts, 'definitions'>,
  found: readonly SourceFacts[],
  options: Waiting,
): Promise<ReadonlyMap<Sink, readonly EarlierIncarnation[]>> {
  const [first] = found;
  const all = first === undefined ? [] : await definitions.earlierIn(first.source.branchId, options);
  const bySink = Map.groupBy(all, ({ key }) => sinkDocumentId(key));
  const of = (sink: Sink): readonly EarlierIncarnation[] =>
    (bySink.get(sinkDocumentId(sink)) ?? []).filter(({ incarnation }) => incarnation !== sink.incarnation);
  return new Map(found.flatMap(({ sinks }) => sinks.map((sink) => [sink, of(sink)] as const)));
}

/** Ends say something about a sink only when it reads that very topic. */
interface TopicEnds {
  readonly topic: string;
  readonly identity: string;
  readonly ends: Ends;
}

interface SourceFacts {
  readonly source: Source;
  readonly sinks: readonly Sink[];
  readonly ends: TopicEnds | undefined;
}

/** Some at a time, so that a store that answers at once leaves room for whatever else this process does. */
async function readSources(
  parts: AggregateSourcesParts,
  sources: readonly Source[],
  options: Waiting,
): Promise<readonly SourceFacts[]> {
  const found: SourceFacts[] = [];
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    const some = sources.slice(at, at + sourcesAtOnce);
    found.push(...(await Promise.all(some.map((source) => readSource(parts, source, options)))));
    await setImmediate();
  }
  return found;
}

async function readSource(parts: AggregateSourcesParts, source: Source, options: Waiting): Promise<SourceFacts> {
  const [sinks, ends] = await Promise.all([
    parts.definitions.sinks(source, options),
    endsOfSource(parts, source, options),
  ]);
  return { source, sinks, ends };
}

/** Read before the progress documents: what is accepted meanwhile is counted the next time, or staged already. */
async function endsOfSource(
  { sourceLog, telemetry }: Pick<Parts, 'sourceLog' | 'telemetry'>,
  { topic, topicIdentity, sourceId }: Source,
  options: Waiting,
): Promise<TopicEnds | undefined> {
  try {
    await describeKnownTopic(sourceLog, { name: topic, identity: topicIdentity }, options);
    return { topic, identity: topicIdentity, ends: (await readEnds(sourceLog, topic, options)).durable };
  } catch (thrown) {
    options.signal.throwIfAborted();
    telemetry.log.debug({ sourceId, err: thrown }, 'ends of a source not told');
    return undefined;
  }
}

interface SinkFacts {
  readonly sink: Sink;
  readonly progress: SinkProgress;
  readonly taken: readonly OpenSliceState[];
  readonly statuses: readonly SinkStatus[];
  readonly ends: TopicEnds | undefined;
}

function aggregate({ sink, progress, taken, statuses, ends }: SinkFacts): Aggregated {
  const known = progress.deleted ? closedEnds(progress) : endsIn(progress, ends);
  const local: Level | undefined = known && localLevel(progress, known, taken);
  const createdAt = Date.parse(sink.created.at);
  const files = sinkFiles({ progress, local, notes: [], statuses, createdAt });
  return { levels: levelsOf(progress, local), files };
}

function endsIn({ topics }: SinkProgress, ends: TopicEnds | undefined): Ends | undefined {
  return ends?.topic === topics.source && ends.identity === topics.sourceIdentity ? ends.ends : undefined;
}
