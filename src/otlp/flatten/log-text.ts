import type { LogRecord } from '../wire/messages.ts';
import { writeAnyValue, writeAttributes } from './any-value.ts';
import { spanIdField, traceIdField } from './id-text.ts';
import { constant, countField, textField, type JsonWriter } from './json-writer.ts';
import type { Scope } from './scope.ts';
import { nanosField, TimeText } from './time-text.ts';

const keys = {
  timestamp: constant('{"timestamp":"'),
  observed: constant('","observed_timestamp":"'),
  severityNumber: constant('","severity_number":'),
  severityText: constant(',"severity_text":'),
  body: constant(',"body":'),
  flags: constant(',"flags":'),
  traceId: constant(',"trace_id":'),
  spanId: constant(',"span_id":'),
  attributes: constant(',"attributes":'),
  time: constant(',"time":"'),
  quote: constant('"'),
  nanos: constant(',"timestamp_unix_nano":"'),
  observedNanos: constant(',"observed_timestamp_unix_nano":"'),
  eventName: constant(',"event_name":'),
  dropped: constant(',"dropped_attributes_count":'),
  end: constant('}'),
};

const timestamp = new TimeText();
const observed = new TimeText();

/** A log record as one JSON object: the fields of 3.6 in their order, then what the reference has no place for. */
export function writeLog(out: JsonWriter, record: LogRecord, scope: Scope): void {
  timestamp.set(record.time_unix_nano);
  observed.set(record.observed_time_unix_nano);
  out.constant(keys.timestamp);
  timestamp.write(out);
  out.constant(keys.observed);
  observed.write(out);
  out.constant(keys.severityNumber);
  out.integer(record.severity_number);
  out.constant(keys.severityText);
  out.text(record.severity_text);
  out.constant(keys.body);
  writeAnyValue(out, record.body);
  out.constant(keys.flags);
  out.integer(record.flags);
  traceIdField(out, keys.traceId, record.trace_id);
  spanIdField(out, keys.spanId, record.span_id);
  out.constant(keys.attributes);
  writeAttributes(out, record.attributes);
  out.constant(scope.fields);
  out.constant(keys.time);
  (timestamp.isNone ? observed : timestamp).write(out);
  out.constant(keys.quote);
  nanosField(out, keys.nanos, timestamp);
  nanosField(out, keys.observedNanos, observed);
  textField(out, keys.eventName, record.event_name);
  countField(out, keys.dropped, record.dropped_attributes_count);
  out.constant(scope.extras);
  out.constant(keys.end);
}
