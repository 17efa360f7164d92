import type { Span, SpanEvent, SpanLink } from '../wire/messages.ts';
import { writeAttributes, writeList } from './any-value.ts';
import { spanIdField, writeSpanId, writeTraceId } from './id-text.ts';
import { constant, countField, type JsonWriter } from './json-writer.ts';
import type { Scope } from './scope.ts';
import { nanosField, TimeText } from './time-text.ts';

const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'].map(constant);
const codes = ['Unset', 'Ok', 'Error'].map(constant);

const keys = {
  timestamp: constant('{"timestamp":"'),
  ended: constant('","end_timestamp":"'),
  traceId: constant('","trace_id":'),
  spanId: constant(',"span_id":'),
  parent: constant(',"parent_span_id":'),
  traceState: constant(',"trace_state":'),
  name: constant(',"name":'),
  kind: constant(',"kind":"'),
  flags: constant('","flags":'),
  code: constant(',"status_code":"'),
  message: constant('","status_message":'),
  attributes: constant(',"attributes":'),
  events: constant(',"events":'),
  links: constant(',"links":'),
  nanos: constant(',"timestamp_unix_nano":"'),
  endNanos: constant(',"end_timestamp_unix_nano":"'),
  duration: constant(',"duration_ns":'),
  dropped: constant(',"dropped_attributes_count":'),
  droppedEvents: constant(',"dropped_events_count":'),
  droppedLinks: constant(',"dropped_links_count":'),
  end: constant('}'),
  nameOfEvent: constant('","name":'),
  traceIdOfLink: constant('{"trace_id":'),
  flagsOfLink: constant(',"flags":'),
};

const timestamp = new TimeText();
const ended = new TimeText();
const timeOfEvent = new TimeText();

/** A span as one JSON object: the fields of 3.8 in their order, then what the reference has no place for. */
export function writeSpan(out: JsonWriter, span: Span, scope: Scope): void {
  timestamp.set(span.start_time_unix_nano);
  ended.set(span.end_time_unix_nano);
  out.constant(keys.timestamp);
  timestamp.write(out);
  out.constant(keys.ended);
  ended.write(out);
  out.constant(keys.traceId);
  writeTraceId(out, span.trace_id);
  out.constant(keys.spanId);
  writeSpanId(out, span.span_id);
  spanIdField(out, keys.parent, span.parent_span_id);
  out.constant(keys.traceState);
  out.text(span.trace_state);
  out.constant(keys.name);
  out.text(span.name);
  out.constant(keys.kind);
  writeNamed(out, kinds, span.kind);
  out.constant(keys.flags);
  out.integer(span.flags);
  out.constant(keys.code);
  writeNamed(out, codes, span.status?.code ?? 0);
  out.constant(keys.message);
  out.text(span.status?.message ?? '');
  out.constant(keys.attributes);
  writeAttributes(out, span.attributes);
  out.constant(keys.events);
  writeList(out, span.events, writeEvent);
  out.constant(keys.links);
  writeList(out, span.links, writeLink);
  out.constant(scope.fields);
  nanosField(out, keys.nanos, timestamp);
  nanosField(out, keys.endNanos, ended);
  // Of a span without its start or its end there is none.
  if (!timestamp.isNone && !ended.isNone) {
    out.constant(keys.duration);
    out.integer(timestamp.nanosTo(ended));
  }
  countField(out, keys.dropped, span.dropped_attributes_count);
  countField(out, keys.droppedEvents, span.dropped_events_count);
  countField(out, keys.droppedLinks, span.dropped_links_count);
  out.constant(scope.extras);
  out.constant(keys.end);
}

/** A value of an enum by its name; one that has none here as a number. */
export function writeNamed(out: JsonWriter, names: readonly Uint8Array[], value: number): void {
  const name = names[value];
  if (name === undefined) out.integer(value);
  else out.constant(name);
}

function writeEvent(out: JsonWriter, event: SpanEvent): void {
  timeOfEvent.set(event.time_unix_nano);
  out.constant(keys.timestamp);
  timeOfEvent.write(out);
  out.constant(keys.nameOfEvent);
  out.text(event.name);
  out.constant(keys.attributes);
  writeAttributes(out, event.attributes);
  countField(out, keys.dropped, event.dropped_attributes_count);
  out.constant(keys.end);
}

function writeLink(out: JsonWriter, link: SpanLink): void {
  out.constant(keys.traceIdOfLink);
  writeTraceId(out, link.trace_id);
  out.constant(keys.spanId);
  writeSpanId(out, link.span_id);
  out.constant(keys.traceState);
  out.text(link.trace_state);
  out.constant(keys.attributes);
  writeAttributes(out, link.attributes);
  out.constant(keys.flagsOfLink);
  out.integer(link.flags);
  countField(out, keys.dropped, link.dropped_attributes_count);
  out.constant(keys.end);
}
