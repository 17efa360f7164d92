import type { Clock } from '../core/clock.ts';
import type { Incarnation, SinkKey, SourceKey } from '../core/ids.ts';
import { conserveAll } from '../core/progress/conservation.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { EventLog, PartitionRange } from '../ports/event-log.ts';
import type { Configuration } from '../stages/replica/configuration.ts';
import { logMeasured, sinkForgotten, sinkMeasured } from '../telemetry/sink-gauges.ts';
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
  readonly #lags = new Map<Incarnation, { readonly key: SinkKey; readonly clock: LagClock }>();

  constructor(options: SinkGaugesOptions) {
    this.#options = options;
  }

  /** Looks at every sink once. */
  async measure({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { configuration, sourceLog, telemetry } = this.#options;
    const ranges = new Map<string, readonly PartitionRange[]>();
    const failures: unknown[] = [];
    for (const { value } of configuration.sources.values()) {
      if (value.deleted !== undefined && (await sourceLog.describeTopic(value.topic, { signal })) === undefined)
        continue;
      const found = await sourceLog.ranges(value.topic, { signal }).catch((thrown: unknown) => {
        failures.push(thrown);
      });
      if (found === undefined) continue;
      ranges.set(value.topic, found);
      const key: SourceKey = { branchId: value.branchId, sourceId: value.sourceId };
      logMeasured(
        telemetry,
        key,
        found.reduce((sum, { bytes }) => sum + bytes, 0),
      );
    }
    const seen = new Set<Incarnation>();
    for (const { value } of configuration.progress.values()) {
      seen.add(value.incarnation);
      const found = ranges.get(value.topics.source);
      if (found !== undefined) this.#measure(value, found);
    }
    for (const [incarnation, { key }] of this.#lags) {
      if (seen.has(incarnation)) continue;
      this.#lags.delete(incarnation);
      sinkForgotten(telemetry, key);
    }
    // A source whose topic cannot be read keeps its own gauges only; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
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
