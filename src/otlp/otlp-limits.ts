/** What bounds the decoding of one request (D8); beside these the body has its limit, and what is made of it. */
export const otlpLimits = {
  /** Messages in messages, as the decoders of Google have it, and objects in objects. */
  nesting: 100,
  /** Messages and numbers in lists of one record: of its attributes, events, links, exemplars, buckets. */
  valuesPerRecord: 100_000,
  /** Resources, scopes and metrics of one request, and its records, each. */
  partsPerRequest: 100_000,
  /** Of blanks and digits in a row, in JSON outside of texts. */
  bytesBetweenTokens: 1024 ** 2,
  /** An id of a trace, and of a span. */
  traceIdBytes: 16,
  spanIdBytes: 8,
} as const;
