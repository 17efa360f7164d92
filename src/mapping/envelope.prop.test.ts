import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EnvelopeReader, openEnvelope } from './envelope.ts';

const names = [
  'millrace-id',
  'Millrace-Id',
  'millrace-remote-address',
  'millrace-signal',
  'millrace-format',
  'millrace-format-reason',
  'content-type',
  'x-other',
];
const values = ['a', 'b', 'json', 'logs', 'application/json', 'text/plain'];
const header = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values));

/** Lists that differ in one value or name, or in their length, as often as not at all. */
const alike = fc.array(header, { maxLength: 4 }).chain((pairs) =>
  fc.array(
    fc.record({ at: fc.nat(7), text: fc.constantFrom(...names, ...values), more: fc.boolean() }).map((change) => {
      const headers = pairs.flat();
      if (change.at < headers.length) headers[change.at] = change.text;
      return change.more ? [...headers, 'millrace-id', 'last'] : headers;
    }),
    { minLength: 2, maxLength: 6 },
  ),
);

it('A46: a reader of many records says of each what its own headers say', () => {
  fc.assert(
    fc.property(alike, (lists) => {
      const reader = new EnvelopeReader();
      for (const headers of lists) expect(reader.open(headers)).toEqual(openEnvelope(headers));
    }),
    { numRuns: 1000 },
  );
});
