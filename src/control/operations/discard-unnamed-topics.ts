import { progressDocuments } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { lastHandedOut } from '../../documents/last-handed-out.ts';
import { listReadable } from '../../documents/list-documents.ts';

type DiscardUnnamedTopicsParts = Pick<Parts, 'catalog' | 'ownership' | 'seat' | 'sourceLog'>;

/** Runs work while no source is being made under this id; it may leave it for another time. */
type Alone = (key: SourceKey, work: () => Promise<void>) => Promise<void>;

/**
 * Removes the topics of sources that were not made after all: they have a number, no document names them, and they are
 * empty. A topic without a number is used by the next source of its id. One with a number that the catalog never handed
 * out belongs to another installation, or to a later state of this catalog.
 */
export async function discardUnnamedTopics(
  parts: DiscardUnnamedTopicsParts,
  alone: Alone,
  options: Waiting,
): Promise<void> {
  for (const { name, key } of await unnamedTopics(parts, options))
    await alone(key, async () => {
      // It may have got its source before this had it alone.
      const isUnnamed = (await unnamedTopics(parts, options)).some((one) => one.name === name);
      // What is listed here and still unnamed was made by a process that has lost the seat since: nobody will name it.
      await parts.seat.assertHeld(options);
      if (isUnnamed) await discardEmpty(parts, name, options);
    });
}

interface UnnamedTopic {
  readonly name: string;
  readonly key: SourceKey;
}

async function unnamedTopics(
  { sourceLog, catalog }: Pick<Parts, 'catalog' | 'sourceLog'>,
  options: Waiting,
): Promise<readonly UnnamedTopic[]> {
  const last = await lastHandedOut(catalog, options);
  const numbered = (await sourceLog.listTopics('source.', options)).flatMap((name) => {
    const parsed = parseTopicName(name);
    if (parsed?.kind !== 'source' || parsed.incarnation === 1 || parsed.incarnation > last) return [];
    return [{ name, key: parsed.key }];
  });
  if (numbered.length === 0) return [];
  const sources = await listReadable(catalog, { kind: sourceDocuments }, options);
  const sinks = await listReadable(catalog, { kind: progressDocuments }, options);
  // One that cannot be read may name any topic.
  if (sources.unread.length + sinks.unread.length > 0) return [];
  const named = new Set([
    ...sources.documents.flatMap((source) => [source.topic, ...retiredTopics(source).map(({ name }) => name)]),
    ...sinks.documents.map(({ topics }) => topics.source),
  ]);
  return numbered.filter(({ name }) => !named.has(name));
}

async function discardEmpty(
  { sourceLog, ownership }: Pick<Parts, 'ownership' | 'sourceLog'>,
  name: string,
  options: Waiting,
): Promise<void> {
  if ((await sourceLog.describeTopic(name, options)) === undefined) return;
  const ranges = await sourceLog.ranges(name, options);
  if (ranges.some(({ durableEnd }) => durableEnd > 0)) return;
  if (await ownership.isOurs('source-log', options)) await sourceLog.deleteTopic(name, options);
}
