import type { DataPoint, MetricHead } from '../decode/record-visitor.ts';
import type {
  Exemplar,
  ExponentialHistogramDataPoint,
  ExponentialHistogramDataPointBuckets,
  HistogramDataPoint,
  SummaryDataPoint,
  SummaryDataPointValueAtQuantile,
} from '../wire/messages.ts';
import type { Int64 } from '../wire/wire-reader.ts';
import { writeAttributes, writeList } from './any-value.ts';
import { spanIdField, traceIdField } from './id-text.ts';
import { constant, countField, type JsonWriter } from './json-writer.ts';
import { PointTimes } from './point-times.ts';
import type { Scope } from './scope.ts';
import type { SharedTexts } from './shared-texts.ts';
import { writeNamed } from './span-text.ts';
import { TimeText } from './time-text.ts';

const [comma, openBracket, closeBracket] = [0x2c, 0x5b, 0x5d];
const temporalities = ['Unspecified', 'Delta', 'Cumulative'].map(constant);

const keys = {
  metricName: constant('{"metric_name":'),
  description: constant(',"metric_description":'),
  unit: constant(',"metric_unit":'),
  type: constant(',"metric_type":"'),
  attributes: constant(',"attributes":'),
  value: constant(',"value":'),
  isMonotonic: constant(',"is_monotonic":'),
  temporality: constant(',"aggregation_temporality":"'),
  quote: constant('"'),
  count: constant(',"count":'),
  sum: constant(',"sum":'),
  min: constant(',"min":'),
  max: constant(',"max":'),
  bucketCounts: constant(',"bucket_counts":'),
  bounds: constant(',"explicit_bounds":'),
  scale: constant(',"scale":'),
  zeroCount: constant(',"zero_count":'),
  quantiles: constant(',"quantile_values":'),
  quantile: constant('{"quantile":'),
  flags: constant(',"flags":'),
  exemplars: constant(',"exemplars":'),
  timeOfExemplar: constant('{"timestamp":"'),
  valueOfExemplar: constant('","value":'),
  traceId: constant(',"trace_id":'),
  spanId: constant(',"span_id":'),
  filtered: constant(',"filtered_attributes":'),
  exponential: constant(',"exponential":{"scale":'),
  zeroThreshold: constant(',"zero_threshold":'),
  positive: constant(',"positive":'),
  negative: constant(',"negative":'),
  offset: constant('{"offset":'),
  metadata: constant(',"metric_metadata":'),
  none: constant('null'),
  end: constant('}'),
};

/** What all points of a metric have: the same text for each of them. */
export interface MetricText {
  /** The fields of 3.7 from the brace that opens the object to the timestamps. */
  readonly times: PointTimes;
  /** What follows the fields of the type, where the type has it. */
  readonly behindType: Uint8Array;
  /** What the reference has no place for. */
  readonly extras: Uint8Array;
  readonly bounds: SharedBounds;
}

/** The bounds that were written last: nearly always those of the next histogram, too. */
class SharedBounds {
  readonly #texts: SharedTexts;
  #list: readonly number[] = [];
  #text = constant('[]');

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  write(out: JsonWriter, list: readonly number[]): void {
    const last = this.#list;
    if (list.length !== last.length || list.some((bound, at) => bound !== last[at])) {
      this.#list = list;
      this.#text = this.#texts.text((own) => writeList(own, list, (to, bound) => to.double(bound)));
    }
    out.constant(this.#text);
  }
}

export function metricText(texts: SharedTexts, metric: MetricHead, scope: Scope): MetricText {
  const { name, description, unit, type, temporality, isMonotonic, metadata } = metric;
  const beforeTimes = texts.text((out) => {
    out.constant(keys.metricName);
    out.text(name);
    out.constant(keys.description);
    out.text(description);
    out.constant(keys.unit);
    out.text(unit);
    out.constant(keys.type);
    out.ascii(type);
    out.constant(keys.quote);
    out.constant(scope.fields);
  });
  return {
    times: new PointTimes(texts, beforeTimes),
    behindType: texts.text((out) => {
      if (type === 'gauge' || type === 'summary') return;
      if (isMonotonic !== undefined) {
        out.constant(keys.isMonotonic);
        out.ascii(String(isMonotonic));
      }
      out.constant(keys.temporality);
      writeNamed(out, temporalities, temporality);
      out.constant(keys.quote);
    }),
    extras: texts.text((out) => {
      if (metadata.length > 0) {
        out.constant(keys.metadata);
        writeAttributes(out, metadata);
      }
      out.constant(scope.extras);
      out.constant(keys.end);
    }),
    bounds: new SharedBounds(texts),
  };
}

const timeOfExemplar = new TimeText();

/** A data point as one JSON object: the fields of 3.7 in their order, then what the reference has no place for. */
export function writePoint(out: JsonWriter, data: DataPoint, metric: MetricText): void {
  const { point } = data;
  metric.times.set(point);
  metric.times.writeHead(out);
  out.constant(keys.attributes);
  writeAttributes(out, point.attributes);
  writeFieldsOfType(out, data, metric.bounds);
  out.constant(metric.behindType);
  metric.times.writeNanos(out);
  countField(out, keys.flags, point.flags);
  if ('exemplars' in point && point.exemplars.length > 0) {
    out.constant(keys.exemplars);
    writeList(out, point.exemplars, writeExemplar);
  }
  if (data.type === 'exponential_histogram') writeExponential(out, data.point);
  out.constant(metric.extras);
}

function writeFieldsOfType(out: JsonWriter, data: DataPoint, bounds: SharedBounds): void {
  switch (data.type) {
    case 'gauge':
    case 'sum':
      out.constant(keys.value);
      writeValue(out, data.point);
      break;
    case 'histogram':
      writeMeasures(out, data.point);
      out.constant(keys.bucketCounts);
      writeCounters(out, data.point.bucket_counts);
      out.constant(keys.bounds);
      bounds.write(out, data.point.explicit_bounds);
      break;
    case 'exponential_histogram':
      writeMeasures(out, data.point);
      out.constant(keys.scale);
      out.integer(data.point.scale);
      counterField(out, keys.zeroCount, data.point.zero_count);
      break;
    case 'summary':
      writeSummary(out, data.point);
      break;
    default:
      data satisfies never;
  }
}

/** Not set: null. */
function writeValue(
  out: JsonWriter,
  point: {
    readonly value: 'as_double' | 'as_int' | undefined;
    readonly as_double: number;
    readonly as_int: Int64;
  },
): void {
  if (point.value === undefined) out.constant(keys.none);
  else if (point.value === 'as_int') out.integer(point.as_int);
  else out.double(point.as_double);
}

function writeMeasures(out: JsonWriter, point: HistogramDataPoint | ExponentialHistogramDataPoint): void {
  counterField(out, keys.count, point.count);
  if (point.has_sum !== undefined) doubleField(out, keys.sum, point.sum);
  if (point.has_min !== undefined) doubleField(out, keys.min, point.min);
  if (point.has_max !== undefined) doubleField(out, keys.max, point.max);
}

function writeSummary(out: JsonWriter, { count, sum, quantile_values: values }: SummaryDataPoint): void {
  counterField(out, keys.count, count);
  doubleField(out, keys.sum, sum);
  out.constant(keys.quantiles);
  writeList(out, values, writeQuantile);
}

function writeQuantile(out: JsonWriter, { quantile, value }: SummaryDataPointValueAtQuantile): void {
  doubleField(out, keys.quantile, quantile);
  doubleField(out, keys.value, value);
  out.constant(keys.end);
}

/** All that makes the buckets, in one place. */
function writeExponential(out: JsonWriter, point: ExponentialHistogramDataPoint): void {
  out.constant(keys.exponential);
  out.integer(point.scale);
  counterField(out, keys.zeroCount, point.zero_count);
  doubleField(out, keys.zeroThreshold, point.zero_threshold);
  out.constant(keys.positive);
  writeSide(out, point.positive);
  out.constant(keys.negative);
  writeSide(out, point.negative);
  out.constant(keys.end);
}

function writeSide(out: JsonWriter, buckets: ExponentialHistogramDataPointBuckets | undefined): void {
  out.constant(keys.offset);
  out.integer(buckets?.offset ?? 0);
  out.constant(keys.bucketCounts);
  writeCounters(out, buckets?.bucket_counts ?? []);
  out.constant(keys.end);
}

function writeExemplar(out: JsonWriter, exemplar: Exemplar): void {
  timeOfExemplar.set(exemplar.time_unix_nano);
  out.constant(keys.timeOfExemplar);
  timeOfExemplar.write(out);
  out.constant(keys.valueOfExemplar);
  writeValue(out, exemplar);
  traceIdField(out, keys.traceId, exemplar.trace_id);
  spanIdField(out, keys.spanId, exemplar.span_id);
  out.constant(keys.filtered);
  writeAttributes(out, exemplar.filtered_attributes);
  out.constant(keys.end);
}

function counterField(out: JsonWriter, key: Uint8Array, value: Int64): void {
  out.constant(key);
  writeCounter(out, value);
}

function doubleField(out: JsonWriter, key: Uint8Array, value: number): void {
  out.constant(key);
  out.double(value);
}

function writeCounters(out: JsonWriter, counters: readonly Int64[]): void {
  out.byte(openBracket);
  for (let at = 0; at < counters.length; at += 1) {
    if (at > 0) out.byte(comma);
    writeCounter(out, counters[at] as Int64);
  }
  out.byte(closeBracket);
}

const largest = 2n ** 63n - 1n;

/** A counter of 64 bits without a sign; as the reference has it, no larger than one with a sign can be (3.5). */
function writeCounter(out: JsonWriter, value: Int64): void {
  out.integer(typeof value === 'bigint' && value > largest ? largest : value);
}
