import { setImmediate } from 'node:timers/promises';
import { countSink, type SinkNumbers } from '../../core/accounts/sink-numbers.ts';
import type { BranchId } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Source } from '../../core/source.ts';
import { branchPrefix } from '../../documents/document-id.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { readKnownEnds } from '../ends/read-ends.ts';
import type { Parts } from '../parts.ts';

type CountingParts = Pick<Parts, 'catalog' | 'sourceLog' | 'telemetry'>;

/** A source that is there, and what its log says of it. */
export interface CountedSource {
  readonly source: Source;
  /** Undefined while its topic cannot be read, or is another one. */
  readonly ends: CountedEnds | undefined;
}

interface CountedEnds {
  readonly durable: Ends;
  /** Records that the log acknowledged since the topic was made, whatever retention took of them. */
  readonly accepted: number;
}

export interface CountedSink {
  readonly progress: SinkProgress;
  /** Undefined while the topic of the source cannot be read, or is another one. */
  readonly numbers: SinkNumbers | undefined;
}

const sourcesAtOnce = 8;

/** A document may name a thousand slices: so few are held at a time. */
const pageSize = 100;

/** Where the topics of all sources end now, of a branch or of all. Those that are deleted want nothing beyond the ends of their sinks. */
export async function countSources(
  parts: CountingParts,
  branchId: BranchId | undefined,
  options: Waiting,
): Promise<readonly CountedSource[]> {
  const prefix = branchId === undefined ? '' : branchPrefix(branchId);
  const { documents } = await listReadable(parts.catalog, { kind: sourceDocuments, prefix }, options);
  const sources = documents.filter(({ deleted }) => deleted === undefined);
  const counted: CountedSource[] = [];
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    const some = sources.slice(at, at + sourcesAtOnce);
    const ends = await Promise.all(some.map((source) => endsOfSource(parts, source, options)));
    counted.push(...some.map((source, index) => ({ source, ends: ends[index] })));
    // Lets other work of this process in between, however quickly the log answers.
    await setImmediate();
  }
  return counted;
}

/**
 * Counts every incarnation of every branch, some at a time, by ends that were read before: what was accepted meanwhile is counted the next
 * time. A document that this release cannot read is left out, and told.
 */
export async function* countSinks(
  { catalog }: Pick<Parts, 'catalog'>,
  sources: readonly CountedSource[],
  { onUnread, ...options }: Waiting & { readonly onUnread?: (id: string) => void },
): AsyncGenerator<readonly CountedSink[]> {
  const ends = new Map(sources.map(({ source, ends: of }) => [source.topic, { identity: source.topicIdentity, of }]));
  const endsFor = ({ deleted, topics }: SinkProgress): Ends | undefined => {
    if (deleted) return new Map();
    const found = ends.get(topics.source);
    return found?.identity === topics.sourceIdentity ? found.of?.durable : undefined;
  };
  for (let after: string | undefined; ;) {
    const query = { collection: 'progress', prefix: '', limit: pageSize } as const;
    const page = await catalog.list({ ...query, ...(after === undefined ? {} : { after }) }, options);
    const counted = page.flatMap(({ id, value }): readonly CountedSink[] => {
      const progress = progressDocuments.tryParse(value);
      if (progress === undefined) {
        onUnread?.(id);
        return [];
      }
      const durable = endsFor(progress);
      return [{ progress, numbers: durable && countSink(progress, durable) }];
    });
    if (counted.length > 0) yield counted;
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
    await setImmediate();
  }
}

async function endsOfSource(
  { sourceLog, telemetry }: CountingParts,
  { topic, topicIdentity, sourceId }: Source,
  options: Waiting,
): Promise<CountedEnds | undefined> {
  try {
    const topics = { source: topic, sourceIdentity: topicIdentity };
    const { durable, acknowledged } = await readKnownEnds(sourceLog, topics, options);
    const accepted = [...durable].reduce((sum, [partition, end]) => sum + (acknowledged?.get(partition) ?? end), 0);
    return { durable, accepted };
  } catch (thrown) {
    options.signal.throwIfAborted();
    telemetry.log.debug({ sourceId, err: thrown }, 'ends of a source not told');
    return undefined;
  }
}
