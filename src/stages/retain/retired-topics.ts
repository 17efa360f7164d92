import type { Clock } from '../../core/clock.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { sourceDocumentId } from '../../documents/document-id.ts';
import { progressDocuments, sourceTopicNamedIn } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import type { RetiredTopic, Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Configuration } from '../replica/configuration.ts';
import type { Held } from '../replica/replica.ts';
import type { RetiredTopicsObserver } from '../../telemetry/observe-retired-topics.ts';

export interface RetiredTopicsOptions {
  readonly configuration: Configuration;
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly observer: RetiredTopicsObserver;
}

/**
 * A process that still takes events for a source that was just deleted learns of it within this time, and refuses them
 * in better words than the log.
 */
const graceMs = 10_000;

/**
 * Removes topics of sources that were deleted, once no incarnation of a sink refers to them. What is left to do stands
 * only in the source's document, so that a process which dies in between leaves it to the next round. An event that
 * arrives too late for a topic that is gone is refused by the log.
 */
export class RetiredTopics {
  readonly #options: RetiredTopicsOptions;

  constructor(options: RetiredTopicsOptions) {
    this.#options = options;
  }

  /** Looks at every source once. A topic that fails does not keep the others. */
  async round(options: Waiting): Promise<void> {
    await this.#removeTopics(options);
    for (const held of this.#options.configuration.sources.values())
      if (this.#isLongErased(held.value)) await this.#removeDocument(held, options);
  }

  async #removeTopics(options: Waiting): Promise<void> {
    const { configuration, sourceLog, observer } = this.#options;
    const needed = new Set([...configuration.progress.values()].map(({ value }) => value.topics.source));
    const retired = [...configuration.sources.values()].flatMap(({ value: source }) =>
      retiredTopics(source).map((topic) => ({ source, topic })),
    );
    const waiting = retired.filter(({ topic }) => !needed.has(topic.name));
    if (waiting.length === 0) return;
    const names = new Set(await sourceLog.listTopics('source.', options));
    for (const { source, topic } of waiting) {
      if (!names.has(topic.name) && !isListed(source, topic)) continue;
      try {
        await this.#remove(source, topic, options);
      } catch (thrown) {
        if (options.signal.aborted) throw thrown;
        observer.sourceTopicKept(source, MillraceError.fromUnknown(thrown));
      }
    }
  }

  /**
   * The document of the source is read before those of the sinks: a retired topic never comes back, so that no sink begins
   * to refer to it after that.
   */
  async #remove(of: Source, topic: RetiredTopic, options: Waiting): Promise<void> {
    const { catalog, sourceLog, ownership, observer } = this.#options;
    const place = { kind: sourceDocuments, id: sourceDocumentId(of) };
    const known = await readDocument(catalog, place, options);
    if (known === undefined) return;
    const source = known.value;
    sourceDocuments.requireWritable(source, place.id);
    if (!retiredTopics(source).some((one) => isSame(one, topic)) || this.#isJustDeleted(source)) return;
    const { documents, unread } = await listReadable(catalog, { kind: progressDocuments }, options);
    if (documents.some(({ topics }) => topics.source === topic.name)) return;
    for (const { value } of unread) requireNotOf(topic, value);
    const there = await sourceLog.describeTopic(topic.name, options);
    if (there?.identity === topic.identity) {
      await ownership.assertOurs('source-log', options);
      await sourceLog.deleteTopic(topic.name, options);
      observer.sourceTopicRemoved(source, topic.name);
    }
    const change = (before?: Source): Source | undefined =>
      before !== undefined && isListed(before, topic)
        ? { ...before, retired: (before.retired ?? []).filter((one) => !isSame(one, topic)) }
        : undefined;
    await changeDocument(catalog, { ...place, known, change }, options);
  }

  /**
   * True so long after erasing that no process can still know the name of a topic which another source may get then.
   */
  #isLongErased(source: Source): boolean {
    const { erased, deleted } = source;
    if (erased?.isDone !== true || deleted === undefined || !sourceDocuments.isWritable(source)) return false;
    return this.#options.clock.now() - Date.parse(deleted.at) >= limits.erasedSourceMs;
  }

  /** The document of an erased source goes once its topics are gone. */
  async #removeDocument({ id, revision, value }: Held<Source>, options: Waiting): Promise<void> {
    const { catalog, sourceLog } = this.#options;
    for (const { name } of retiredTopics(value))
      if ((await sourceLog.describeTopic(name, options)) !== undefined) return;
    await catalog.remove('source', id, revision, options);
  }

  /** A clock that was set back is no reason to keep a topic for longer. */
  #isJustDeleted({ deleted }: Source): boolean {
    if (deleted === undefined) return false;
    const sinceMs = this.#options.clock.now() - Date.parse(deleted.at);
    return sinceMs >= 0 && sinceMs < graceMs;
  }
}

/** True for the topic of an earlier existence, which the document forgets. */
function isListed({ retired = [] }: Source, topic: RetiredTopic): boolean {
  return retired.some((one) => isSame(one, topic));
}

/** Rejects as reading the document does, unless it says that it is of another topic. */
function requireNotOf({ name }: RetiredTopic, progress: unknown): void {
  const source = sourceTopicNamedIn(progress);
  if (source === undefined || source === name) progressDocuments.parse(progress);
}

function isSame(one: RetiredTopic, other: RetiredTopic): boolean {
  return one.name === other.name && one.identity === other.identity;
}
