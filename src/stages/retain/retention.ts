import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { knownEnd } from '../../core/progress/switch.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import type { Configuration } from '../replica/configuration.ts';
import { ProvenAges } from './proven-ages.ts';
import { neededOffset } from '../../core/progress/needed-offset.ts';
import { ownLimits } from './own-limits.ts';
import { unreadDocuments } from './unread-documents.ts';
import { retain, type RetentionAnswer } from './retain.ts';
import type { RetentionObserver } from '../../telemetry/observe-retention.ts';

/**
 * Why a source takes no more events: the byte budget of its topic is spent by events that sinks still need; or the topic ends
 * below what a sink knows of it, so that new events would get offsets that the sink has passed, and be taken for repeats.
 */
export type SourceHindrance = 'budgetSpent' | 'logBehind';

export interface RetentionOptions {
  readonly configuration: Configuration;
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly clock: Clock;
  readonly observer: RetentionObserver;
}

/**
 * Retention of source topics in an embedded log: keeps what a sink needs, and everything else for the interval and the
 * bytes that the source's settings say. A cluster leaves this to its log.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #hindrances = new Map<string, SourceHindrance>();
  readonly #listeners = new Set<() => void>();
  readonly #ages: ProvenAges;
  #isDoubtTold = false;
  #unreadTold = '';

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#ages = new ProvenAges(options);
  }

  /** Why topics of sources can take no more events, as it was at the last look. */
  get hindrances(): ReadonlyMap<string, SourceHindrance> {
    return this.#hindrances;
  }

  /** Calls back when `hindrances` change. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Looks at every source once. A source that fails does not keep the others. */
  async round({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { configuration, observer } = this.#options;
    this.#tellDoubt(await this.#ages.look({ signal }));
    const documents = [...configuration.progress.values()].map(({ value }): SinkProgress => value);
    const sinks = Map.groupBy(documents, ({ topics }) => topics.source);
    const unread = unreadDocuments(configuration);
    this.#tellUnread(unread.ids);
    for (const { value: source } of configuration.sources.values()) {
      try {
        const mayNeedAll = unread.mayNeed(source.topic);
        await this.#retainSource(source, { sinks: sinks.get(source.topic) ?? [], mayNeedAll, signal });
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        observer.retentionFailed(source, MillraceError.fromUnknown(thrown));
      }
    }
    const topics = [...configuration.sources.values()].map(({ value }) => value.topic);
    await this.#ages.save(new Set(topics), { signal });
  }

  #tellDoubt(differenceMs: number): void {
    const { observer } = this.#options;
    const isInDoubt = !this.#ages.isTrusted;
    if (isInDoubt === this.#isDoubtTold) return;
    this.#isDoubtTold = isInDoubt;
    if (isInDoubt) observer.clockDoubted(differenceMs);
    else observer.clockTrusted();
  }

  #tellUnread(ids: readonly string[]): void {
    const told = ids.join();
    if (told === this.#unreadTold) return;
    this.#unreadTold = told;
    this.#options.observer.documentsUnread(ids);
  }

  async #retainSource(source: Source, { sinks, mayNeedAll, signal }: Needs): Promise<void> {
    const { sourceLog } = this.#options;
    // Looked at first: whatever is removed later is of this topic, or nothing is.
    const described = await sourceLog.describeTopic(source.topic, { signal });
    if (described === undefined && source.deleted !== undefined) {
      this.#note(source.topic, undefined);
      return;
    }
    const ranges = await sourceLog.ranges(source.topic, { signal });
    if (isBehind(sinks, ranges)) {
      // Nothing is removed either: what is there is all that is left.
      this.#note(source.topic, 'logBehind');
      return;
    }
    const identity = described?.identity ?? '';
    let isSpent = false;
    for (const [partition, range] of ranges.entries()) {
      const needed = mayNeedAll ? range.first : neededOffset(sinks, partition, range.durableEnd);
      const answer = await this.#answer(source, { partition, identity, range, needed, count: ranges.length, signal });
      isSpent ||= answer.isSpent;
      if (answer.before <= range.first) continue;
      await sourceLog.trim({ topic: source.topic, identity, partition }, answer.before, { signal });
      const lost = answer.before - Math.max(needed, range.first);
      if (lost > 0) this.#options.observer.neededRecordsRemoved(source, lost);
    }
    this.#note(source.topic, isSpent ? 'budgetSpent' : undefined);
  }

  async #answer(
    { topic, settings }: Source,
    of: {
      readonly partition: number;
      readonly identity: string;
      readonly range: PartitionRange;
      readonly needed: number;
      readonly count: number;
      readonly signal: AbortSignal;
    },
  ): Promise<RetentionAnswer> {
    const { sourceLog, clock } = this.#options;
    const { intervalMs } = effectiveSettings(settings).retention;
    const { maxAgeMs: ageMs, maxBytes } = ownLimits(settings, of.count);
    const at = { topic, partition: of.partition };
    const now = clock.now();
    const youngerThanInterval = await sourceLog.offsetForTime(at, now - intervalMs, of);
    const youngerThanMaxAge = await sourceLog.offsetForTime(at, now - ageMs, of);
    const { identity, range, needed } = of;
    const provenMaxAge = this.#ages.provenBefore(at, { identity, end: range.durableEnd, ageMs });
    const { isTrusted: isClockTrusted } = this.#ages;
    return retain({ range, needed, youngerThanInterval, youngerThanMaxAge, provenMaxAge, isClockTrusted, maxBytes });
  }

  #note(topic: string, hindrance: SourceHindrance | undefined): void {
    if (this.#hindrances.get(topic) === hindrance) return;
    if (hindrance === undefined) this.#hindrances.delete(topic);
    else this.#hindrances.set(topic, hindrance);
    for (const listener of this.#listeners) listener();
  }
}

interface Needs {
  readonly sinks: readonly SinkProgress[];
  /** A sink of the source may need everything. */
  readonly mayNeedAll: boolean;
  readonly signal: AbortSignal;
}

/** `sinks` were read before `ranges`: a log only grows, so an end below what a sink knows is a log that was set back. */
function isBehind(sinks: readonly SinkProgress[], ranges: readonly PartitionRange[]): boolean {
  return sinks.some((progress) =>
    ranges.some(({ durableEnd }, partition) => durableEnd < knownEnd(entryOf(progress, partition))),
  );
}
