import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { listDocuments } from '../store/list-documents.ts';

/**
 * Removes the topics of sources that were not made after all: they have a number, no document names them, and they are
 * empty. A topic without a number is taken up by the next source of its id. Nothing may be being made meanwhile.
 */
export async function discardUnnamedTopics(context: AdminContext, options: Waiting): Promise<void> {
  const { sourceLog, definitions, catalog } = context;
  const numbered = (await sourceLog.listTopics('source.', options)).filter((name) => {
    const parsed = parseTopicName(name);
    return parsed?.kind === 'source' && parsed.incarnation > 1;
  });
  if (numbered.length === 0) return;
  const sources = await definitions.allSources(options);
  const sinks = await listDocuments(catalog, { collection: 'progress', prefix: '' }, options);
  const named = new Set([
    ...sources.flatMap((source) => [source.topic, ...retiredTopics(source).map(({ name }) => name)]),
    ...sinks.map(({ value }) => parseProgressDocument(value).topics.source),
  ]);
  // What is listed here and still unnamed was made by who has lost the seat since: it will not be named.
  await context.seat.assertHeld(options);
  for (const name of numbered) {
    if (named.has(name)) continue;
    const ranges = await sourceLog.ranges(name, options);
    if (ranges.every(({ end }) => end === 0)) await sourceLog.deleteTopic(name, options);
  }
}
