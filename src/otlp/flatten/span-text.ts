import type { Span, SpanEvent, SpanLink } from '../wire/messages.ts';
import { attributesText } from './any-value.ts';
import { spanIdText, traceIdText } from './id-text.ts';
import { countField, listText, stringText, textField } from './json-text.ts';
import type { Scope } from './scope.ts';
import { nanosField, timeOf, timeText } from './time-text.ts';

const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'] as const;
const codes = ['Unset', 'Ok', 'Error'] as const;

/** A span as one JSON object: the fields of 3.8 in their order, then what the reference has no place for. */
export function spanText(span: Span, scope: Scope): string {
  const { start_time_unix_nano: start, end_time_unix_nano: end, status } = span;
  const timestamp = timeOf(start);
  const ended = timeOf(end);
  return (
    `{"timestamp":"${timestamp.text}","end_timestamp":"${ended.text}"` +
    `,"trace_id":"${traceIdText(span.trace_id)}","span_id":"${spanIdText(span.span_id)}"` +
    textField('parent_span_id', spanIdText(span.parent_span_id)) +
    `,"trace_state":${stringText(span.trace_state)},"name":${stringText(span.name)}` +
    `,"kind":"${kinds[span.kind] ?? span.kind}","flags":${span.flags}` +
    `,"status_code":"${codes[status?.code ?? 0] ?? status?.code}","status_message":${stringText(status?.message ?? '')}` +
    `,"attributes":${attributesText(span.attributes)}` +
    `,"events":${listText(span.events.map(eventText))},"links":${listText(span.links.map(linkText))}${scope.fields}` +
    nanosField('timestamp_unix_nano', timestamp) +
    nanosField('end_timestamp_unix_nano', ended) +
    `,"duration_ns":${BigInt(end) - BigInt(start)}` +
    countField('dropped_attributes_count', span.dropped_attributes_count) +
    countField('dropped_events_count', span.dropped_events_count) +
    countField('dropped_links_count', span.dropped_links_count) +
    `${scope.extras}}`
  );
}

function eventText({ time_unix_nano: time, name, attributes, dropped_attributes_count: dropped }: SpanEvent): string {
  const fields = `"timestamp":"${timeText(time)}","name":${stringText(name)},"attributes":${attributesText(attributes)}`;
  return `{${fields}${countField('dropped_attributes_count', dropped)}}`;
}

function linkText(link: SpanLink): string {
  return (
    `{"trace_id":"${traceIdText(link.trace_id)}","span_id":"${spanIdText(link.span_id)}"` +
    `,"trace_state":${stringText(link.trace_state)},"attributes":${attributesText(link.attributes)}` +
    `,"flags":${link.flags}${countField('dropped_attributes_count', link.dropped_attributes_count)}}`
  );
}
