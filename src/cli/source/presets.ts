import type { Signal } from '../../core/event.ts';
import type { SourceType } from '../../core/source.ts';
import { parseColumn } from '../sink/parse-column.ts';

interface PresetSink {
  readonly signal: Signal;
  /** As `--column` takes them. */
  readonly columns: readonly string[];
}

/** A source with sinks whose columns fit what it receives. */
interface Preset {
  readonly type: SourceType;
  /** What it is for, for the help. */
  readonly meaning: string;
  readonly sinks: readonly PresetSink[];
}

const service = 'service:text:resource["service.name"]?=';
const scope = ['scope_name:text:scope.name', 'scope_version:text:scope.version'] as const;
const span = ['trace_id:text:trace_id?=', 'span_id:text:span_id?='] as const;

const presets: Readonly<Record<string, Preset>> = {
  otlp: {
    type: 'otlp',
    meaning: 'OpenTelemetry: a table each for logs, metrics (a row a data point) and traces',
    sinks: [
      {
        signal: 'logs',
        columns: [
          'time:text:time',
          'observed_time:text:observed_timestamp',
          'severity:text:severity_text',
          'severity_number:text:severity_number',
          service,
          'body:text:body',
          'event_name:text:event_name?=',
          ...span,
          'flags:text:flags',
          'attributes:text:attributes',
          'resource:text:resource',
          ...scope,
          'scope:text:scope',
          'dropped:text:dropped_attributes_count?=0',
        ],
      },
      {
        signal: 'metrics',
        columns: [
          'time:text:timestamp',
          'start:text:start_timestamp',
          'name:text:metric_name',
          'unit:text:metric_unit',
          'kind:text:metric_type',
          'temporality:text:aggregation_temporality?=',
          'monotonic:text:is_monotonic?=',
          service,
          'value:text:value?=',
          'count:text:count?=',
          'sum:text:sum?=',
          'min:text:min?=',
          'max:text:max?=',
          'buckets:text:bucket_counts?=',
          'bounds:text:explicit_bounds?=',
          'quantiles:text:quantile_values?=',
          'exponential:text:exponential?=',
          'attributes:text:attributes',
          'exemplars:text:exemplars?=',
          'flags:text:flags?=0',
          'resource:text:resource',
          ...scope,
        ],
      },
      {
        signal: 'traces',
        columns: [
          'start:text:timestamp',
          'duration_ns:text:duration_ns',
          'name:text:name',
          'kind:text:kind',
          service,
          'status:text:status_code',
          'status_message:text:status_message',
          ...span,
          'parent_span_id:text:parent_span_id?=',
          'trace_state:text:trace_state',
          'attributes:text:attributes',
          'events:text:events',
          'links:text:links',
          'resource:text:resource',
          ...scope,
        ],
      },
    ],
  },
};

/** Names of presets, for `--preset`. */
export const presetNames: readonly string[] = Object.keys(presets);

/** A line each for the help. */
export const presetHelp = `Presets:\n${Object.entries(presets)
  .map(([name, { meaning }]) => `  ${name.padEnd(6)} ${meaning}`)
  .join('\n')}`;

/** What the body of "create source" has of a preset; the tables are `in.c-ID.SIGNAL`. */
export function presetBody(name: string, sourceId: string) {
  const preset = presets[name];
  if (preset === undefined) return undefined;
  const sinks = preset.sinks.map(({ signal, columns }) => ({
    name: signal,
    sinkId: signal,
    allowedSignals: [signal],
    table: {
      tableId: `in.c-${sourceId}.${signal}`,
      mapping: { columns: columns.map(parseColumn) },
    },
  }));
  return { type: preset.type, sinks };
}
