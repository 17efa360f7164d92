import type { Clock } from '../core/clock.ts';
import type { Incarnation, SinkKey, SourceKey } from '../core/ids.ts';
import { conserveAll } from '../core/progress/conservation.ts';
import type { Source } from '../core/source.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { EventLog, PartitionRange } from '../ports/event-log.ts';
import type { Configuration } from '../stages/replica/configuration.ts';
import { logForgotten, logMeasured, sinkForgotten, sinkMeasured } from '../telemetry/sink-gauges.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { LagClock } from './lag-clock.ts';

export interface SinkGaugesOptions {
  readonly configuration: Configuration;
  readonly sourceLog: EventLog;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Keeps the gauges of lag, staged rows, log bytes and conservation; alarms on a difference (D4). */
export class SinkGauges {
  readonly #options: SinkGaugesOptions;
  readonly #logs = new Map<string, SourceKey>();
  readonly #lags = new Map<Incarnation, { readonly key: SinkKey; readonly clock: LagClock }>();

  constructor(options: SinkGaugesOptions) {
    this.#options = options;
  }

  /** Looks at every source and every sink once. */
  async measure({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { configuration } = this.#options;
    const ranges = new Map<string, readonly PartitionRange[]>();
    const failures: unknown[] = [];
    const gone = new Map(this.#logs);
    for (const { value } of configuration.sources.values()) {
      const found = await this.#rangesOf(value, signal).catch((thrown: unknown) => {
        failures.push(thrown);
        gone.delete(nameOf(value));
      });
      if (found === undefined) continue;
      ranges.set(value.topic, found);
      gone.delete(nameOf(value));
      this.#measureLog(value, found);
    }
    for (const [name, key] of gone) {
      this.#logs.delete(name);
      logForgotten(this.#options.telemetry, key);
    }
    this.#forgetSinks();
    for (const { value } of configuration.progress.values()) {
      const found = ranges.get(value.topics.source);
      if (found !== undefined) this.#measure(value, found);
    }
    // A source whose topic cannot be read keeps its own gauges only; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
  }

  /** Undefined for a deleted source whose topic is gone, too. */
  async #rangesOf({ deleted, topic }: Source, signal: AbortSignal): Promise<readonly PartitionRange[] | undefined> {
    const { sourceLog } = this.#options;
    if (deleted !== undefined && (await sourceLog.describeTopic(topic, { signal })) === undefined) return undefined;
    return sourceLog.ranges(topic, { signal });
  }

  #measureLog(source: Source, ranges: readonly PartitionRange[]): void {
    const key: SourceKey = { branchId: source.branchId, sourceId: source.sourceId };
    this.#logs.set(nameOf(key), key);
    const bytes = ranges.reduce((sum, range) => sum + range.bytes, 0);
    logMeasured(this.#options.telemetry, key, bytes);
  }

  /** Before the measuring: a sink that was made anew has the labels of the one that is gone. */
  #forgetSinks(): void {
    const { configuration, telemetry } = this.#options;
    for (const [incarnation, { key }] of this.#lags) {
      if (configuration.progressOf(incarnation) !== undefined) continue;
      this.#lags.delete(incarnation);
      sinkForgotten(telemetry, key);
    }
  }

  #measure(progress: SinkProgress, ranges: readonly PartitionRange[]): void {
    const { clock, telemetry } = this.#options;
    const counts = conserveAll(progress, new Map(ranges.map(({ end }, partition) => [partition, end])));
    const sum = (pick: (one: (typeof counts)[number]) => number): number =>
      counts.reduce((total, one) => total + pick(one), 0);
    const staged = sum((one) => one.staged);
    const accepted = sum((one) => one.accepted);
    const lagEvents = sum((one) => one.inFlight) + staged;
    const lag = this.#lags.get(progress.incarnation) ?? { key: progress.key, clock: new LagClock() };
    this.#lags.set(progress.incarnation, lag);
    const lagSeconds = lag.clock.measure({ accepted, done: accepted - lagEvents, now: clock.monotonic() }) / 1000;
    sinkMeasured(telemetry, progress.key, {
      lagEvents,
      lagSeconds,
      stagedRows: staged,
      difference: sum((one) => one.difference),
    });
  }
}

function nameOf({ branchId, sourceId }: SourceKey): string {
  return `${branchId}/${sourceId}`;
}
