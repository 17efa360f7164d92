import type { SinkKey } from '../core/ids.ts';
import type { Offset, TopicPartition } from '../core/offset.ts';
import { formatTraceparent, type SpanContext } from '../core/span-context.ts';
import { sinkAttributes, sinkSpanName } from './span-attributes.ts';
import type { OpenSpan, Spans } from './spans.ts';

/** What became of a record that belongs to a trace. */
export interface MappedRecord {
  readonly offset: Offset;
  readonly kind: 'row' | 'dead' | 'packed' | 'filtered';
  readonly context: SpanContext;
}

/** Some records of one partition, mapped for one sink. */
export interface MappedRecords {
  readonly key: SinkKey;
  readonly at: TopicPartition;
  /** When their mapping began, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly records: readonly MappedRecord[];
}

/** A span `map`, and the records that it is of. */
export interface MapSpan {
  readonly offsets: readonly Offset[];
  /** For the outcomes of these records. */
  readonly traceparent: string;
  /** Their outcomes are in the topic of the sink; or why they are not. */
  end(at: number, failure?: string): void;
}

/** One span for the records of each request, or of each span of a producer: they are mapped together. */
export function beginMapSpans(spans: Spans, { key, at, startedAt, records }: MappedRecords): readonly MapSpan[] {
  const byContext = Map.groupBy(records, ({ context }) => formatTraceparent(context));
  return [...byContext.values()].map((together) => mapSpan(spans, { key, at, startedAt, records: together }));
}

function mapSpan(spans: Spans, { key, at, startedAt, records }: MappedRecords): MapSpan {
  const [first] = records;
  const offsets = records.map(({ offset }) => offset);
  const counts = Map.groupBy(records, ({ kind }) => kind);
  const span: OpenSpan = spans.begin({
    name: sinkSpanName('map', key),
    kind: 'consumer',
    startedAt,
    parent: first?.context,
    attributes: {
      ...sinkAttributes(key),
      'messaging.system': 'millrace',
      'messaging.operation.name': 'map',
      'messaging.operation.type': 'process',
      'messaging.destination.name': at.topic,
      'messaging.destination.partition.id': String(at.partition),
      'messaging.batch.message_count': records.length,
      'millrace.offset.first': offsets[0] ?? 0,
      'millrace.offset.last': offsets.at(-1) ?? 0,
      ...Object.fromEntries([...counts].map(([kind, each]) => [`millrace.outcomes.${kind}`, each.length])),
    },
  });
  return {
    offsets,
    traceparent: formatTraceparent(span.context),
    end: (endedAt, failure) => span.end({ at: endedAt, failure }),
  };
}
