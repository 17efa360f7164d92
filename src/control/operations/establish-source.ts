import type { SourceDefinition } from '../../documents/version-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import type { Sink } from '../../core/sink.ts';
import type { Disabled, Source, SourceSecret, Stamp, Version } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { makeSourceTopic, type MakeSourceTopicParts } from './make-source-topic.ts';
import { prepareSink, type PrepareSinkParts } from './prepare-sink.ts';
import { Rollback } from './rollback.ts';
import { showSink } from './show-sink.ts';
import { showSource } from './show-source.ts';
import type { SinkMaking } from './sink-making.ts';
import { keepSourceVersion } from '../store/version-of.ts';

export type EstablishSourceParts = Pick<Parts, 'chores' | 'tasks'> & PrepareSinkParts & MakeSourceTopicParts;

/** An existence of a source that is about to be made: of a plan, or of the deleted source that comes back. */
export interface SourceEstablishment {
  readonly key: SourceKey;
  readonly definition: SourceDefinition;
  readonly version: Version;
  readonly secrets: readonly SourceSecret[];
  readonly created: Stamp;
  readonly disabled?: Disabled;
  /** Of its topic; absent: as many as the process gives a source. */
  readonly partitions?: number | undefined;
  /** The deleted source under this id, whose place it takes. */
  readonly before: Source | undefined;
  /** What the deleted source had that is not made anew, fields of a newer release with it; absent: it begins with nothing. */
  readonly kept?: object;
  /** Seen with the source or not at all. */
  readonly sinks: readonly SinkMaking[];
  readonly stamp: Stamp;
}

/** Makes an existence of a source with a topic of its own, and shows it; takes everything back when it fails. */
export function establishSource(
  parts: EstablishSourceParts,
  establishment: SourceEstablishment,
  options: Waiting,
): Promise<void> {
  const tables = establishment.sinks.map(({ definition }) => definition.table.tableId);
  return aloneOnBuckets(parts.tasks.serial, tables, () => establish(parts, establishment, options));
}

async function establish(
  parts: EstablishSourceParts,
  { key, kept, definition, version, secrets, created, disabled, partitions, before, sinks, stamp }: SourceEstablishment,
  options: Waiting,
): Promise<void> {
  const rollback = new Rollback();
  try {
    const { incarnation, topic } = await makeSourceTopic(parts, { key, before, partitions }, options);
    const source: Source = {
      ...kept,
      ...key,
      ...definition,
      version,
      secrets,
      created,
      topic: topic.name,
      topicIdentity: topic.identity,
      partitions: topic.partitions,
      incarnation,
      ...(disabled === undefined ? {} : { disabled }),
      ...(before === undefined ? {} : { retired: retiredTopics(before) }),
    };
    await keepSourceVersion(parts.catalog, source, options);
    await makeSinks(parts, { sinks, source, stamp, rollback }, options);
    await showSource(parts, { source, before, rollback }, options);
  } catch (thrown) {
    await rollback.undo(parts.chores);
    throw thrown;
  }
}

interface SinksOfSource extends Pick<SourceEstablishment, 'sinks' | 'stamp'> {
  readonly source: Source;
  readonly rollback: Rollback;
}

/** Makes the sinks' documents before the source's: they are not to be seen until the source is. */
async function makeSinks(
  parts: EstablishSourceParts,
  { sinks, source, stamp, rollback }: SinksOfSource,
  options: Waiting,
): Promise<void> {
  const sourceTopic = { name: source.topic, identity: source.topicIdentity };
  const prepared: { readonly sink: Sink; readonly before: Sink | undefined }[] = [];
  for (const making of sinks)
    prepared.push({
      sink: await prepareSink(parts, { ...making, sourceTopic, stamp, rollback }, options),
      before: making.before,
    });
  for (const { sink, before } of prepared) await showSink(parts, { sink, before, rollback }, options);
}
