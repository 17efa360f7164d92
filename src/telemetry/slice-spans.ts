import type { Clock } from '../core/clock.ts';
import type { SinkKey } from '../core/ids.ts';
import type { Offset, Partition } from '../core/offset.ts';
import { formatTraceparent, parseSpanContext } from '../core/span-context.ts';
import { sinkAttributes, sinkSpanName } from './span-attributes.ts';
import type { SpanAttributes, Spans } from './spans.ts';
import { WorkSpans } from './work-spans.ts';

/** A span of a trace that has lines in a slice. */
export interface FollowedTrace {
  readonly traceparent: string;
  /** When the slice took the first of these lines, on the monotonic clock. */
  readonly takenAt: number;
}

/** A slice that takes no more lines. */
export interface SpannedSlice {
  readonly key: SinkKey;
  readonly partition: Partition;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  readonly bytes: number;
  /** Monotonic. */
  readonly openedAt: number | undefined;
  readonly followed: readonly FollowedTrace[];
}

/** The spans of one slice. */
export interface SliceSpans {
  /** What the document keeps with the slice, so that the import goes on with the traces. */
  readonly traceparents: readonly string[];
  /** Its upload begins; answers what is called at its end. */
  uploading(): (failure?: string) => void;
  /** It is staged, or will not be by this reader. */
  end(result: { readonly id: string } | { readonly failure: string }): void;
}

/** The spans `stage` and `upload` of a slice; undefined for one without an event of a trace. */
export function beginSliceSpans(spans: Spans, slice: SpannedSlice, clock: Clock): SliceSpans | undefined {
  const { key, followed } = slice;
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  const wallTimeOf = (at: number | undefined): number => now - (monotonic - (at ?? monotonic));
  const shared = followed.flatMap(({ traceparent, takenAt }) => {
    const context = parseSpanContext(traceparent);
    return context?.isSampled === true ? [{ context, since: wallTimeOf(takenAt) }] : [];
  });
  if (shared.length === 0) return undefined;
  const attributes = attributesOf(slice);
  const work = new WorkSpans(
    spans,
    { name: sinkSpanName('stage', key), startedAt: wallTimeOf(slice.openedAt), attributes },
    shared,
  );
  return {
    traceparents: work.contexts.map(formatTraceparent),
    uploading: () => {
      const end = work.part({
        name: sinkSpanName('upload', key),
        startedAt: clock.now(),
        attributes: { 'millrace.slice.bytes': slice.bytes },
      });
      return (failure) => end({ at: clock.now(), failure });
    },
    end: (result) => {
      const told = 'id' in result ? { attributes: { 'millrace.slice': result.id } } : { failure: result.failure };
      work.end({ at: clock.now(), ...told });
    },
  };
}

function attributesOf({ key, partition, from, to, rows, dead }: SpannedSlice): SpanAttributes {
  return {
    ...sinkAttributes(key),
    'messaging.destination.partition.id': String(partition),
    'messaging.batch.message_count': rows + dead,
    'millrace.offset.first': from + 1,
    'millrace.offset.last': to,
    'millrace.slice.rows': rows,
    'millrace.slice.dead': dead,
  };
}
