import type { Setting } from './setting.ts';

/** How a request is split into events. */
export const batchModes = ['off', 'lines', 'array', 'auto'] as const;

/** What says how a body is read: its Content-Type as far as it can be believed, or that alone. */
export const contentTypeRules = ['auto', 'header'] as const;

/** What the values of other Kafka producers are; all but `raw` name a schema of the registry. */
export const kafkaValueFormats = ['raw', 'json-schema', 'avro', 'protobuf'] as const;
export type KafkaValueFormat = (typeof kafkaValueFormats)[number];

/** The setting that says which of them. */
export const kafkaValueFormatKey = 'kafka.value.format';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The settings that the reference does not have; all belong to the source. */
export const millraceSettings: readonly Setting[] = [
  {
    key: 'ingest.batch',
    kind: { kind: 'choice', values: batchModes },
    defaultValue: 'off',
    description:
      'How a request is split into events: off (one event), lines (one a line), array (one an element of a JSON array), auto (an array by element, anything else as one event).',
    protected: false,
    level: 'source',
    effect: 'http',
  },
  {
    key: 'ingest.contentType',
    kind: { kind: 'choice', values: contentTypeRules },
    defaultValue: 'auto',
    description:
      'What says how a body is read: header (its Content-Type alone), or auto (the same, but a body sent as a form or as text/plain that is as a whole one JSON object or array is read as JSON).',
    protected: false,
    level: 'source',
  },
  {
    key: 'ingest.defaultContentType',
    kind: { kind: 'contentType', maxLength: 255 },
    defaultValue: '',
    description:
      'Content type of requests that name none, for example application/json; empty: path columns and Body() refuse such events.',
    protected: false,
    level: 'source',
    effect: 'http',
  },
  {
    key: kafkaValueFormatKey,
    kind: { kind: 'choice', values: kafkaValueFormats },
    defaultValue: 'raw',
    description:
      'Format of the records that other Kafka producers write to the topic of the source: raw (as they are), or json-schema, avro and protobuf, which name a schema of the registry and are decoded to JSON. Events that came over HTTP or OTLP are taken as they are.',
    protected: false,
    level: 'source',
    effect: 'registry',
  },
  {
    key: 'log.retention.interval',
    kind: { kind: 'duration', minMs: minuteMs, maxMs: 87_600 * hourMs },
    defaultValue: '168h0m0s',
    description:
      'How long the embedded log keeps events that every sink has taken, so that a later sink can begin in the past.',
    protected: false,
    level: 'source',
    effect: 'ownLog',
  },
  {
    key: 'log.retention.maxAge',
    kind: { kind: 'duration', minMs: minuteMs, maxMs: 87_600 * hourMs },
    defaultValue: '720h0m0s',
    description:
      'How long the embedded log keeps events that a sink still needs, at most; what is removed then is counted as a hole. Never shorter than log.retention.interval.',
    protected: false,
    level: 'source',
    effect: 'ownLog',
  },
  {
    key: 'log.retention.size',
    kind: { kind: 'size', minBytes: 1024 ** 2, maxBytes: 1024 ** 5 },
    defaultValue: '5GB',
    description:
      'Bytes of events that the embedded log keeps for the source; when they are used up, events are refused with 503 until there is room.',
    protected: false,
    level: 'source',
    effect: 'ownLog',
  },
];
