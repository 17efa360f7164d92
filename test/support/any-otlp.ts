import * as fc from 'fast-check';
import type { Signal } from '../../src/core/event.ts';
import type { Plain } from './otlp-messages.ts';

/** Requests of each signal as plain objects: every field of the definitions, rare values among them. */

const text = fc.string({ unit: 'binary', maxLength: 12 });
const unsigned = fc
  .oneof(
    fc.constantFrom(0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n),
    fc.bigInt(0n, 2n ** 64n - 1n),
  )
  .map(String);
const signed = fc
  .oneof(fc.constantFrom(0n, -1n, -(2n ** 53n), -(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
  .map(String);
const real = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 1e21, 1e-7, 0.1));
const uint32 = fc.oneof(fc.constant(0), fc.nat(0xffff_ffff));
const sint32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const nanos = fc.oneof(
  fc.constantFrom('0', '1', '1700000000000000000', '1700000000120000000', '1700000000000000001'),
  unsigned,
);

function few<Item>(item: fc.Arbitrary<Item>, maxLength = 3): fc.Arbitrary<Item[]> {
  return fc.array(item, { maxLength });
}

function id(length: number): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc.constantFrom(new Uint8Array(), new Uint8Array(length)),
  );
}

const { value } = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant({}),
    fc.record({ string_value: text }),
    fc.record({ bool_value: fc.boolean() }),
    fc.record({ int_value: signed }),
    fc.record({ double_value: real }),
    fc.record({ bytes_value: fc.uint8Array({ maxLength: 5 }) }),
    fc.record({ array_value: fc.record({ values: few(tie('value')) }) }),
    fc.record({
      kvlist_value: fc.record({
        values: few(fc.record({ key: fc.constantFrom('a', 'b', '__proto__'), value: tie('value') })),
      }),
    }),
  ),
}));

const key = fc.oneof(fc.constantFrom('', 'a', 'http.method', '__proto__', '1', '"'), text);
const attributes = few(fc.record({ key, value }, { requiredKeys: ['key'] }), 10);
const dropped = { dropped_attributes_count: uint32 };
const ids = { trace_id: id(16), span_id: id(8) };

/** All fields, or some of them. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Plain> {
  return fc.record(fields, { requiredKeys: [] });
}

const log = some({
  ...ids,
  ...dropped,
  time_unix_nano: nanos,
  observed_time_unix_nano: nanos,
  severity_number: fc.nat(30),
  severity_text: text,
  body: value,
  attributes,
  flags: uint32,
  event_name: text,
});

const event = some({ ...dropped, time_unix_nano: nanos, name: text, attributes });
const link = some({ ...ids, ...dropped, trace_state: text, attributes, flags: uint32 });
const span = some({
  ...ids,
  ...dropped,
  parent_span_id: id(8),
  trace_state: text,
  name: text,
  kind: fc.nat(7),
  flags: uint32,
  start_time_unix_nano: nanos,
  end_time_unix_nano: nanos,
  attributes,
  events: few(event),
  links: few(link),
  dropped_events_count: uint32,
  dropped_links_count: uint32,
  status: some({ code: fc.nat(4), message: text }),
});

const numberValue = fc.oneof(fc.constant({}), fc.record({ as_int: signed }), fc.record({ as_double: real }));
const exemplar = fc
  .tuple(some({ ...ids, time_unix_nano: nanos, filtered_attributes: attributes }), numberValue)
  .map(([fields, number]) => ({ ...fields, ...number }));
const anyPoint = { start_time_unix_nano: nanos, time_unix_nano: nanos, attributes, flags: uint32 };
const measured = { ...anyPoint, count: unsigned, sum: real, min: real, max: real, exemplars: few(exemplar) };
const numberPoint = fc
  .tuple(some({ ...anyPoint, exemplars: few(exemplar) }), numberValue)
  .map(([fields, number]) => ({ ...fields, ...number }));
const buckets = some({ offset: sint32, bucket_counts: few(unsigned, 5) });
const aggregation_temporality = fc.nat(3);

const points = {
  gauge: some({ data_points: few(numberPoint) }),
  sum: some({ data_points: few(numberPoint), aggregation_temporality, is_monotonic: fc.boolean() }),
  histogram: some({
    data_points: few(some({ ...measured, bucket_counts: few(unsigned, 5), explicit_bounds: few(real, 5) })),
    aggregation_temporality,
  }),
  exponential_histogram: some({
    data_points: few(
      some({
        ...measured,
        scale: sint32,
        zero_count: unsigned,
        zero_threshold: real,
        positive: buckets,
        negative: buckets,
      }),
    ),
    aggregation_temporality,
  }),
  summary: some({
    data_points: few(
      some({ ...anyPoint, count: unsigned, sum: real, quantile_values: few(some({ quantile: real, value: real })) }),
    ),
  }),
};

const metric = fc
  .tuple(
    some({ name: text, description: text, unit: text, metadata: attributes }),
    fc.oneof(fc.constant({}), ...Object.entries(points).map(([type, data]) => fc.record({ [type]: data }))),
  )
  .map(([head, data]) => ({ ...head, ...data }));

const entity = some({ schema_url: text, type: text, id_keys: few(text), description_keys: few(text) });
const resource = some({ ...dropped, attributes, entity_refs: few(entity) });
const scope = some({ ...dropped, name: text, version: text, attributes });

function requestOf(kind: string, items: string, item: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> {
  const ofScope = some({ scope, schema_url: text, [items]: few(item) });
  const ofResource = some({ resource, schema_url: text, [`scope_${kind}`]: few(ofScope) });
  return fc.record({ [`resource_${kind}`]: few(ofResource) });
}

export const anyOtlp: Readonly<Record<Signal, fc.Arbitrary<Plain>>> = {
  logs: requestOf('logs', 'log_records', log),
  metrics: requestOf('metrics', 'metrics', metric),
  traces: requestOf('spans', 'spans', span),
};
