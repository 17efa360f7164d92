import type { SinkKey, SourceKey } from '../core/ids.ts';
import { wholeDifference } from '../core/accounts/conservation.ts';
import { sumMeasures, type SinkMeasure } from '../core/accounts/sink-measure.ts';
import { sinkLabels, sourceLabels, type SinkLabels, type SourceLabels } from './labels.ts';
import type { GaugeName } from './metric-catalogue.ts';
import type { Telemetry } from './telemetry.ts';

const witnesses = ['document', 'ledgerRows', 'ledgerDead', 'log'] as const;

/** The gauges of a sink, each with what it shows of a look. */
const gauges = [
  ['millrace_sink_lag_events', ({ lagEvents }) => lagEvents],
  ['millrace_sink_lag_seconds', ({ lagSeconds }) => lagSeconds],
  ['millrace_staged_rows', ({ stagedRows }) => stagedRows],
  ['millrace_staged_oldest_seconds', ({ stagedSeconds }) => stagedSeconds],
  ['millrace_sink_freshness_target_seconds', ({ targetSeconds }) => targetSeconds],
  ['millrace_sink_holes', ({ holes }) => holes.counted],
  ['millrace_sink_unacknowledged_holes', ({ holes }) => holes.ringing],
  ['millrace_sink_parked_slices', ({ aside }) => aside.slices],
  ['millrace_sink_parked_events', ({ aside }) => aside.events],
  ['millrace_sink_parked_oldest_seconds', ({ aside }) => aside.oldestSeconds],
  ['millrace_sink_given_up_events', ({ aside }) => aside.givenUp],
  ['millrace_running_replays', ({ replays }) => replays],
  ['millrace_sink_conservation_difference', ({ differences }) => wholeDifference(differences)],
] as const satisfies readonly (readonly [GaugeName, (measure: SinkMeasure) => number])[];

export interface MeasuredSink {
  readonly key: SinkKey;
  readonly measure: SinkMeasure;
}

export interface MeasuredLog {
  readonly key: SourceKey;
  readonly bytes: number;
}

export interface MeasuredShare {
  readonly key: SinkKey;
  readonly share: number;
}

/** What falls together under the labels of a series. */
class Series<Labels extends SourceLabels, Found extends { readonly key: SourceKey }> {
  #told = new Map<string, Labels>();
  readonly #labelsOf: (found: Found) => Labels;

  constructor(labelsOf: (found: Found) => Labels) {
    this.#labelsOf = labelsOf;
  }

  /** All series of a look, and the labels of those that are no more. */
  look(all: readonly Found[]): { readonly here: readonly (readonly [Labels, Found[]])[]; readonly gone: Labels[] } {
    const here = new Map<string, [Labels, Found[]]>();
    for (const found of all) {
      const labels = this.#labelsOf(found);
      const name = Object.values(labels).join('/');
      const of = here.get(name);
      if (of === undefined) here.set(name, [labels, [found]]);
      else of[1].push(found);
    }
    const gone = [...this.#told].filter(([name]) => !here.has(name)).map(([, labels]) => labels);
    this.#told = new Map([...here].map(([name, [labels]]) => [name, labels]));
    return { here: [...here.values()], gone };
  }
}

/**
 * Shows what a look at the documents and topics of all sinks has found, as it is then and nothing else. A sink that was made anew has the
 * labels of the deleted one: the gauges are those of both until the deleted one is gone. Only one thread measures sinks.
 */
export class SinkSeries {
  readonly #telemetry: Telemetry;
  readonly #series: Series<SinkLabels, MeasuredSink>;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
    this.#series = new Series(({ key }) => sinkLabels(telemetry.metrics, key));
  }

  /** Shouts about each incarnation whose numbers do not add up. */
  tell(all: readonly MeasuredSink[]): void {
    const { log } = this.#telemetry;
    const { here, gone } = this.#series.look(all);
    for (const labels of gone) this.#forget(labels);
    for (const [labels, found] of here) this.#set(labels, sumMeasures(found.map(({ measure }) => measure)));
    for (const { key, measure } of all) {
      const difference = wholeDifference(measure.differences);
      if (difference !== 0) log.error({ ...key, difference, ...measure.differences }, 'conservation violated');
    }
  }

  #set(labels: SinkLabels, measure: SinkMeasure): void {
    const { metrics } = this.#telemetry;
    for (const [name, show] of gauges) metrics.gauge(name).set({ ...labels }, show(measure));
    for (const witness of witnesses) {
      const gauge = metrics.gauge('millrace_sink_witness_difference');
      const value = measure.differences[witness];
      if (value === undefined) gauge.remove({ ...labels, witness });
      else gauge.set({ ...labels, witness }, Math.abs(value));
    }
  }

  #forget(labels: SinkLabels): void {
    const { metrics } = this.#telemetry;
    for (const [name] of gauges) metrics.gauge(name).remove({ ...labels });
    for (const witness of witnesses) metrics.gauge('millrace_sink_witness_difference').remove({ ...labels, witness });
  }
}

/** Shows how much of the retention of its source each sink has used with what it still needs, from 0 to 1; of several the most. */
export class RetentionSeries {
  readonly #telemetry: Telemetry;
  readonly #series: Series<SinkLabels, MeasuredShare>;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
    this.#series = new Series(({ key }) => sinkLabels(telemetry.metrics, key));
  }

  tell(all: readonly MeasuredShare[]): void {
    const gauge = this.#telemetry.metrics.gauge('millrace_sink_retention_used_ratio');
    const { here, gone } = this.#series.look(all);
    for (const labels of gone) gauge.remove({ ...labels });
    for (const [labels, found] of here) gauge.set({ ...labels }, Math.max(...found.map(({ share }) => share)));
  }
}

/** Shows the sizes of the topics of sources. */
export class LogSeries {
  readonly #telemetry: Telemetry;
  readonly #series: Series<SourceLabels, MeasuredLog>;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
    this.#series = new Series(({ key }) => sourceLabels(telemetry.metrics, key));
  }

  tell(all: readonly MeasuredLog[]): void {
    const gauge = this.#telemetry.metrics.gauge('millrace_log_bytes');
    const { here, gone } = this.#series.look(all);
    for (const labels of gone) gauge.remove({ ...labels });
    for (const [labels, found] of here)
      gauge.set(
        { ...labels },
        found.reduce((sum, { bytes }) => sum + bytes, 0),
      );
  }
}

/** Notes that a look at all sources and sinks has come to its end; `now` in milliseconds since 1970. */
export function allMeasured({ metrics }: Telemetry, now: number): void {
  metrics.gauge('millrace_measured_timestamp_seconds').set({}, now / 1000);
}
