import type { Setting } from './setting.ts';

/** How a request is split into events. */
export const batchModes = ['off', 'lines', 'array', 'auto'] as const;

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
  },
  {
    key: 'ingest.defaultContentType',
    kind: { kind: 'contentType', maxLength: 255 },
    defaultValue: '',
    description:
      'Content type of requests that name none, for example application/json; empty: path columns and Body() refuse such events.',
    protected: false,
    level: 'source',
  },
  {
    key: 'log.retention.interval',
    kind: { kind: 'duration', minMs: minuteMs, maxMs: 87_600 * hourMs },
    defaultValue: '168h0m0s',
    description:
      'How long the embedded log keeps events that every sink has taken, so that a later sink can begin in the past.',
    protected: false,
    level: 'source',
  },
  {
    key: 'log.retention.maxAge',
    kind: { kind: 'duration', minMs: minuteMs, maxMs: 87_600 * hourMs },
    defaultValue: '720h0m0s',
    description:
      'How long the embedded log keeps events that a sink still needs, at most; what is removed then is counted as a hole. Never shorter than log.retention.interval.',
    protected: false,
    level: 'source',
  },
  {
    key: 'log.retention.size',
    kind: { kind: 'size', minBytes: 1024 ** 2, maxBytes: 1024 ** 5 },
    defaultValue: '5GB',
    description:
      'Bytes of events that the embedded log keeps for the source; when they are used up, events are refused with 503 until there is room.',
    protected: false,
    level: 'source',
  },
];
