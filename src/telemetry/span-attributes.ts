import type { SinkKey, SourceKey } from '../core/ids.ts';
import type { SpanAttributes } from './spans.ts';

/** Of which source a span is. */
export function sourceAttributes({ branchId, sourceId }: SourceKey): SpanAttributes {
  return { 'millrace.branch': branchId, 'millrace.source': sourceId };
}

/** Of which sink a span is. */
export function sinkAttributes(key: SinkKey): SpanAttributes {
  return { ...sourceAttributes(key), 'millrace.sink': key.sinkId };
}

/** What a stage does, and for which sink: `map orders/rows`. */
export function sinkSpanName(what: 'map' | 'stage' | 'upload' | 'import', { sourceId, sinkId }: SinkKey): string {
  return `${what} ${sourceId}/${sinkId}`;
}
