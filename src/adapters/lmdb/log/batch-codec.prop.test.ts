import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewRecord } from '../../../ports/event-log.ts';
import { BatchCursor, BatchEncoder, batchCount, bytesBeforeBatch } from './batch-codec.ts';

const records: fc.Arbitrary<readonly NewRecord[]> = fc.array(
  fc.record({
    value: fc.uint8Array({ maxLength: 2000 }),
    headers: fc.oneof(
      fc.array(fc.string({ unit: 'binary' })),
      fc.tuple(fc.constantFrom('id', 'ix', '', 'a"', 'a\\'), fc.constantFrom('1', '22', '', '",', 'ě')),
    ),
    sharedHeaders: fc.constantFrom<readonly string[]>([], ['a', 'ěščř "\n'], ['x-long', 'y'.repeat(500), '', '']),
    timestamp: fc.integer({ min: 0, max: 2 ** 48 }),
  }),
  { minLength: 1, maxLength: 20 },
);

it('gives the records of every batch back from any offset, although batches share memory', () => {
  const encoder = new BatchEncoder();
  const batches = fc.array(fc.record({ records, base: fc.nat(), bytesBefore: fc.nat() }), { maxLength: 20 });
  fc.assert(
    fc.property(batches, fc.nat(20), (given, skipped) => {
      const encoded = given.map(({ records: added, bytesBefore }) => {
        encoder.begin(bytesBefore);
        for (const record of added) encoder.add(record);
        return encoder.finish();
      });
      for (const [index, { records: added, base, bytesBefore }] of given.entries()) {
        const { bytes, count } = encoded[index]!;
        expect([count, batchCount(bytes), bytesBeforeBatch(bytes)]).toEqual([added.length, added.length, bytesBefore]);
        const cursor = new BatchCursor(bytes, base);
        cursor.skipTo(base + skipped);
        for (const [at, record] of [...added.entries()].slice(skipped)) {
          const { offset, value, headers, timestamp } = cursor.take();
          expect({ offset, headers, timestamp }).toEqual({
            offset: base + at,
            headers: [...record.headers, ...(record.sharedHeaders ?? [])],
            timestamp: record.timestamp,
          });
          expect(Buffer.from(value).equals(record.value)).toBe(true);
        }
        expect(cursor.done).toBe(true);
      }
      encoder.release();
    }),
  );
});

it('takes a record that is larger than its memory', () => {
  const encoder = new BatchEncoder();
  const large = Buffer.alloc(3_000_000, 7);
  encoder.begin(0);
  encoder.add({ value: Buffer.from('a'), headers: [], timestamp: 1 });
  encoder.add({ value: large, headers: ['a', 'b'], timestamp: 2 });
  const cursor = new BatchCursor(encoder.finish().bytes, 10);
  expect(Buffer.from(cursor.take().value).toString()).toBe('a');
  expect(Buffer.from(cursor.take().value).equals(large)).toBe(true);
});

it('gives each record the name of its first header, also when the rest is the same', () => {
  const encoder = new BatchEncoder();
  const names = ['id', 'id', 'id', 'ix', 'ixx', 'id'];
  encoder.begin(0);
  for (const name of names) {
    encoder.add({ value: Buffer.alloc(1), headers: [name, '1'], sharedHeaders: ['a', 'b'], timestamp: 1 });
  }
  const cursor = new BatchCursor(encoder.finish().bytes, 0);
  expect(names.map(() => cursor.take().headers)).toEqual(names.map((name) => [name, '1', 'a', 'b']));
});
