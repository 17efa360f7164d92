import { progressDocuments } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { movedProgress, type MovedSink } from '../../core/progress/moved-progress.ts';
import { collections, type Catalog, type Collection, type Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface FoundDocument extends Versioned {
  readonly collection: Collection;
}

/**
 * Documents of `meta` that say nothing of the data, but of the process that wrote them: its seat, its signs of life, what its clocks have
 * proven about its own log; and who the installation is, which the cluster has been told before.
 */
const ofTheProcess = [
  /^admin$/,
  /^installation$/,
  /^migration$/,
  /^missing-servers\//,
  /^retention-ages$/,
  /^worker\//,
];

const pageSize = 500;

/** Every document that a move takes along, as it is. */
export async function* documentsToMove(catalog: Catalog, options: Waiting): AsyncGenerator<FoundDocument> {
  for (const collection of collections)
    for await (const found of documentsIn(catalog, collection, options))
      if (collection !== 'meta' || !ofTheProcess.some((pattern) => pattern.test(found.id)))
        yield { ...found, collection };
}

/** Every document of a collection, in pages. */
export async function* documentsIn(
  catalog: Catalog,
  collection: Collection,
  options: Waiting,
): AsyncGenerator<Versioned> {
  for (let after: string | undefined; ;) {
    const query = { collection, prefix: '', limit: pageSize, ...(after === undefined ? {} : { after }) };
    const page = await catalog.list(query, options);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
  }
}

/** A topic that was copied: what it was, and what it is now. */
export interface MovedTopic extends MovedSink {
  readonly name: string;
  readonly identityBefore: string;
}

/** The document as the cluster has it: it calls the topics what they are called there. */
export function movedDocument({ collection, id, value }: FoundDocument, topics: readonly MovedTopic[]): object {
  const find = (name: string, identity: string): MovedTopic | undefined =>
    topics.find((topic) => topic.name === name && topic.identityBefore === identity);
  switch (collection) {
    case 'source': {
      const source = sourceDocuments.parse(value, id);
      const identityOf = (name: string, identity: string): string => find(name, identity)?.identity ?? identity;
      const retired = source.retired?.map((topic) => ({ ...topic, identity: identityOf(topic.name, topic.identity) }));
      return sourceDocuments.sealed({
        ...source,
        topicIdentity: identityOf(source.topic, source.topicIdentity),
        ...(retired === undefined ? {} : { retired }),
      });
    }
    case 'progress': {
      const progress = progressDocuments.parse(value, id);
      const { source, sourceIdentity, sink, sinkIdentity } = progress.topics;
      return progressDocuments.sealed(
        movedProgress(progress, { source: find(source, sourceIdentity), sink: find(sink, sinkIdentity) }),
      );
    }
    default:
      return value as object;
  }
}
