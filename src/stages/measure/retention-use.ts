import type { Clock } from '../../core/clock.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { isRetired } from '../../core/retired-topic.ts';
import type { RetentionLimits } from '../../core/retention-limits.ts';
import type { Source } from '../../core/source.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Configuration } from '../replica/configuration.ts';
import { neededOffset } from '../../core/progress/needed-offset.ts';
import { usedShares } from './used-shares.ts';
import { RetentionSeries, type MeasuredShare } from '../../telemetry/sink-gauges.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/**
 * The limits of each of so many partitions of a source's topic, current or retired; undefined where nothing goes, and
 * where nobody can tell.
 */
export type LimitsOf = (source: Source, partitions: number, options: Waiting) => Promise<RetentionLimits | undefined>;

export interface RetentionUseOptions {
  readonly configuration: Configuration;
  readonly sourceLog: EventLog;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly limitsOf: LimitsOf;
}

/** Knows how much of the retention of its source each sink has used with what it still needs: a warning before there are holes. */
export class RetentionUse {
  readonly #options: RetentionUseOptions;
  readonly #measured = new Map<Incarnation, MeasuredShare>();
  readonly #series: RetentionSeries;

  constructor(options: RetentionUseOptions) {
    this.#options = options;
    this.#series = new RetentionSeries(options.telemetry);
  }

  /** From 0 to 1, as it was at the last look; undefined when it is not known. */
  shareOf(incarnation: Incarnation): number | undefined {
    return this.#measured.get(incarnation)?.share;
  }

  /** Looks at every source that has sinks once. One that cannot be read keeps what was measured; the round has failed all the same. */
  async measure({ signal }: Waiting): Promise<void> {
    const { configuration } = this.#options;
    const failures: unknown[] = [];
    const sinks = new Map<string, SinkProgress[]>();
    for (const { value } of configuration.progress.values()) {
      const ofSource = sinks.get(value.topics.source);
      if (ofSource === undefined) sinks.set(value.topics.source, [value]);
      else ofSource.push(value);
    }
    for (const incarnation of this.#measured.keys())
      if (configuration.progressOf(incarnation) === undefined) this.#measured.delete(incarnation);
    for (const { value: source } of configuration.sources.values()) {
      for (const topic of [source.topic, ...(source.retired ?? []).map(({ name }) => name)]) {
        const ofTopic = sinks.get(topic);
        if (ofTopic === undefined) continue;
        const existence = { ...source, topic };
        await this.#measureSource(existence, ofTopic, { signal }).catch((thrown: unknown) => failures.push(thrown));
        signal.throwIfAborted();
      }
    }
    this.#series.tell([...this.#measured.values()]);
    if (failures.length > 0) throw failures[0];
  }

  async #measureSource(source: Source, sinks: readonly SinkProgress[], { signal }: Waiting): Promise<void> {
    const { sourceLog, limitsOf } = this.#options;
    const { topic, deleted } = source;
    const mayBeGone = deleted !== undefined || isRetired(source);
    const isGone = mayBeGone && (await sourceLog.describeTopic(topic, { signal })) === undefined;
    const ranges = isGone ? [] : await sourceLog.ranges(topic, { signal });
    const limits = isGone ? undefined : await limitsOf(source, ranges.length, { signal });
    if (limits === undefined) {
      for (const { incarnation } of sinks) this.#measured.delete(incarnation);
      return;
    }
    const most = sinks.map(() => 0);
    for (const [partition, range] of ranges.entries()) {
      const needed = sinks.map((sink) => neededOffset([sink], partition, range.durableEnd));
      const look = { ...this.#options, range, limits, signal };
      for (const [index, share] of (await usedShares({ topic, partition }, needed, look)).entries())
        most[index] = Math.max(most[index] ?? 0, share);
    }
    for (const [index, { incarnation, key }] of sinks.entries()) {
      this.#measured.set(incarnation, { key, share: most[index] ?? 0 });
    }
  }
}
