import type { DataPoint, MetricHead } from '../decode/record-visitor.ts';
import type {
  Exemplar,
  ExponentialHistogramDataPoint,
  ExponentialHistogramDataPointBuckets,
  HistogramDataPoint,
  SummaryDataPoint,
} from '../wire/messages.ts';
import type { Int64 } from '../wire/wire-reader.ts';
import { attributesText } from './any-value.ts';
import { spanIdText, traceIdText } from './id-text.ts';
import { counterText, countField, doubleText, listText, optionalField, stringText, textField } from './json-text.ts';
import type { Scope } from './scope.ts';
import { nanosField, timeOf, timeText } from './time-text.ts';

const temporalities = ['Unspecified', 'Delta', 'Cumulative'] as const;

/** What all points of a metric have: the same text for each of them. */
export interface MetricText {
  /** The fields of 3.7 before the timestamps, with the brace that opens the object. */
  readonly head: string;
  /** What follows the fields of the type, where the type has it. */
  readonly temporality: string;
  readonly monotonic: string;
  /** What the reference has no place for. */
  readonly extras: string;
}

export function metricText(metric: MetricHead, scope: Scope): MetricText {
  const { name, description, unit, type, temporality, isMonotonic, metadata } = metric;
  return {
    head:
      `{"metric_name":${stringText(name)},"metric_description":${stringText(description)}` +
      `,"metric_unit":${stringText(unit)},"metric_type":"${type}"${scope.fields}`,
    temporality: `,"aggregation_temporality":"${temporalities[temporality] ?? temporality}"`,
    monotonic: optionalField('is_monotonic', isMonotonic === undefined ? undefined : String(isMonotonic)),
    extras:
      optionalField('metric_metadata', metadata.length === 0 ? undefined : attributesText(metadata)) + scope.extras,
  };
}

/** A data point as one JSON object: the fields of 3.7 in their order, then what the reference has no place for. */
export function pointText(data: DataPoint, metric: MetricText): string {
  const { point } = data;
  const started = timeOf(point.start_time_unix_nano);
  const timestamp = timeOf(point.time_unix_nano);
  const exemplars = 'exemplars' in point ? point.exemplars : [];
  return (
    `${metric.head},"start_timestamp":"${started.text}","timestamp":"${timestamp.text}"` +
    `,"attributes":${attributesText(point.attributes)}${fieldsOfType(data, metric)}` +
    nanosField('start_timestamp_unix_nano', started) +
    nanosField('timestamp_unix_nano', timestamp) +
    countField('flags', point.flags) +
    optionalField('exemplars', exemplars.length === 0 ? undefined : listText(exemplars.map(exemplarText))) +
    (data.type === 'exponential_histogram' ? exponentialField(data.point) : '') +
    `${metric.extras}}`
  );
}

function fieldsOfType(data: DataPoint, { temporality, monotonic }: MetricText): string {
  switch (data.type) {
    case 'gauge':
      return `,"value":${valueText(data.point)}`;
    case 'sum':
      return `,"value":${valueText(data.point)}${monotonic}${temporality}`;
    case 'histogram': {
      const { bucket_counts: counts, explicit_bounds: bounds } = data.point;
      const buckets = `,"bucket_counts":${listText(counts.map(counterText))},"explicit_bounds":${listText(bounds.map(doubleText))}`;
      return `${measuresText(data.point)}${buckets}${temporality}`;
    }
    case 'exponential_histogram': {
      const { scale, zero_count: zeros } = data.point;
      return `${measuresText(data.point)},"scale":${scale},"zero_count":${counterText(zeros)}${temporality}`;
    }
    case 'summary':
      return summaryFields(data.point);
    default:
      return data satisfies never;
  }
}

/** Not set: null. */
function valueText(point: {
  readonly value: 'as_double' | 'as_int' | undefined;
  readonly as_double: number;
  readonly as_int: Int64;
}): string {
  if (point.value === undefined) return 'null';
  return point.value === 'as_int' ? String(point.as_int) : doubleText(point.as_double);
}

function measuresText(point: HistogramDataPoint | ExponentialHistogramDataPoint): string {
  return (
    `,"count":${counterText(point.count)}` +
    optionalField('sum', point.has_sum === undefined ? undefined : doubleText(point.sum)) +
    optionalField('min', point.has_min === undefined ? undefined : doubleText(point.min)) +
    optionalField('max', point.has_max === undefined ? undefined : doubleText(point.max))
  );
}

function summaryFields({ count, sum, quantile_values: values }: SummaryDataPoint): string {
  const quantiles = values.map(
    ({ quantile, value }) => `{"quantile":${doubleText(quantile)},"value":${doubleText(value)}}`,
  );
  return `,"count":${counterText(count)},"sum":${doubleText(sum)},"quantile_values":${listText(quantiles)}`;
}

/** All that makes the buckets, in one place. */
function exponentialField(point: ExponentialHistogramDataPoint): string {
  const { scale, zero_count: zeros, zero_threshold: threshold, positive, negative } = point;
  const zero = `"zero_count":${counterText(zeros)},"zero_threshold":${doubleText(threshold)}`;
  return `,"exponential":{"scale":${scale},${zero},"positive":${sideText(positive)},"negative":${sideText(negative)}}`;
}

function sideText(buckets: ExponentialHistogramDataPointBuckets | undefined): string {
  const { offset = 0, bucket_counts: counts = [] } = buckets ?? {};
  return `{"offset":${offset},"bucket_counts":${listText(counts.map(counterText))}}`;
}

function exemplarText(exemplar: Exemplar): string {
  return (
    `{"timestamp":"${timeText(exemplar.time_unix_nano)}","value":${valueText(exemplar)}` +
    textField('trace_id', traceIdText(exemplar.trace_id)) +
    textField('span_id', spanIdText(exemplar.span_id)) +
    `,"filtered_attributes":${attributesText(exemplar.filtered_attributes)}}`
  );
}
