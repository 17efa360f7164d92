import type {
  ExponentialHistogramDataPoint,
  HistogramDataPoint,
  InstrumentationScope,
  KeyValue,
  LogRecord,
  NumberDataPoint,
  Resource,
  Span,
  SummaryDataPoint,
} from '../wire/messages.ts';
import type { Text } from '../wire/wire-text.ts';

/** Fields of `Metric` that hold its data, and so its type. */
export const metricTypes = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;
export type MetricType = (typeof metricTypes)[number];

/** A metric without its points. */
export interface MetricHead {
  readonly name: Text;
  readonly description: Text;
  readonly unit: Text;
  readonly metadata: readonly KeyValue[];
  readonly type: MetricType;
  /** A value of `AggregationTemporality`; 0 where its type has none. */
  readonly temporality: number;
  /** Undefined where its type has none. */
  readonly isMonotonic: boolean | undefined;
}

/** A point of the type that its metric has. */
export type DataPoint =
  | { readonly type: 'gauge' | 'sum'; readonly point: NumberDataPoint }
  | { readonly type: 'histogram'; readonly point: HistogramDataPoint }
  | { readonly type: 'exponential_histogram'; readonly point: ExponentialHistogramDataPoint }
  | { readonly type: 'summary'; readonly point: SummaryDataPoint };

/**
 * Is told what a request holds, in its order: what follows a resource, a scope or a metric belongs to it until the next
 * one. Only the methods of one signal are called; what they are given is not kept by the caller.
 */
export interface RecordVisitor {
  resource(resource: Resource | undefined, schemaUrl: Text): void;
  scope(scope: InstrumentationScope | undefined, schemaUrl: Text): void;
  log(record: LogRecord): void;
  span(span: Span): void;
  metric(metric: MetricHead): void;
  point(point: DataPoint): void;
}

/** Decodes in steps of some milliseconds, so that others have their turn. Throws an `OtlpFault`. */
export type Decoding = Generator<void, void>;
