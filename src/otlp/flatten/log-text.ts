import type { LogRecord } from '../wire/messages.ts';
import { anyValueText, attributesText } from './any-value.ts';
import { spanIdText, traceIdText } from './id-text.ts';
import { countField, stringText, textField } from './json-text.ts';
import type { Scope } from './scope.ts';
import { nanosField, timeOf } from './time-text.ts';

/** A log record as one JSON object: the fields of 3.6 in their order, then what the reference has no place for. */
export function logText(record: LogRecord, scope: Scope): string {
  const timestamp = timeOf(record.time_unix_nano);
  const observed = timeOf(record.observed_time_unix_nano);
  return (
    `{"timestamp":"${timestamp.text}","observed_timestamp":"${observed.text}"` +
    `,"severity_number":${record.severity_number},"severity_text":${stringText(record.severity_text)}` +
    `,"body":${anyValueText(record.body)},"flags":${record.flags}` +
    textField('trace_id', traceIdText(record.trace_id)) +
    textField('span_id', spanIdText(record.span_id)) +
    `,"attributes":${attributesText(record.attributes)}${scope.fields}` +
    `,"time":"${timestamp.text === '' ? observed.text : timestamp.text}"` +
    nanosField('timestamp_unix_nano', timestamp) +
    nanosField('observed_timestamp_unix_nano', observed) +
    textField('event_name', record.event_name) +
    countField('dropped_attributes_count', record.dropped_attributes_count) +
    `${scope.extras}}`
  );
}
