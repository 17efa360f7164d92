/**
 * What a client sent, as the mapping sees it. Headers are a flat list `name, value, name, value …` in the order and
 * spelling received, repeated names repeated, without the reserved `millrace-*` ones.
 */
export interface Event {
  /** UUID text, the same in every sink. */
  readonly id: string;
  /** Arrival, milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Address of the sender without port; empty for a record of a Kafka producer. */
  readonly remoteAddress: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** How `path` columns and `Body()` read the body. */
  readonly format: BodyFormat;
  /** Set for events of an OTLP source. */
  readonly signal: Signal | undefined;
}

/** `multipart` and `unsupported` carry the content type: for its boundary, for the message. */
export type BodyFormat =
  | { readonly kind: 'json' }
  | { readonly kind: 'form' }
  | { readonly kind: 'multipart'; readonly contentType: string }
  | { readonly kind: 'unsupported'; readonly contentType: string };

export const signals = ['logs', 'metrics', 'traces'] as const;
export type Signal = (typeof signals)[number];

/**
 * Why ingest read a body otherwise than its Content-Type says: it is an event of a batch, it is one JSON text, it names
 * none and its source has a default, or it is a record of OTLP. Absent in records of older releases.
 */
export const formatReasons = ['batch', 'body', 'default', 'otlp'] as const;
export type FormatReason = (typeof formatReasons)[number];

/** Header names that the product sets on a record at ingest; a client's headers of these names are dropped. */
export const reservedHeaders = {
  prefix: 'millrace-',
  id: 'millrace-id',
  remoteAddress: 'millrace-remote',
  signal: 'millrace-signal',
  /** `json`, `form` or `none`: decided at ingest, wins over Content-Type. */
  format: 'millrace-format',
  /** What decided it: one of `formatReasons`. */
  formatReason: 'millrace-format-reason',
  /** The span of the request that brought it, where that has one (W3C Trace Context). */
  traceparent: 'millrace-traceparent',
  tracestate: 'millrace-tracestate',
} as const;
