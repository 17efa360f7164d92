import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordRun } from '../../../../test/support/record-run.ts';
import type { LogRecord, NewRecord } from '../../../ports/event-log.ts';
import { BatchCursor, BatchEncoder, batchCount, bytesBeforeBatch, valueLength } from './batch-codec.ts';

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

const runs = fc
  .record({
    name: fc.constantFrom('id', 'a"', 'ě', ''),
    sized: fc.integer({ min: 0, max: 40 }).chain((idBytes) =>
      fc.array(
        fc.record({
          id: fc.string({ minLength: idBytes, maxLength: idBytes, unit: fc.constantFrom('0', 'f', '-', '[', ' ') }),
          value: fc.uint8Array({ maxLength: 2000 }),
        }),
        { minLength: 1, maxLength: 30 },
      ),
    ),
    sharedHeaders: fc.constantFrom<readonly string[]>([], ['a', 'ěščř "\n'], ['x-long', 'y'.repeat(500), '', '']),
    timestamp: fc.integer({ min: 0, max: 2 ** 48 }),
  })
  .map(({ sized, ...rest }) =>
    recordRun({ ...rest, ids: sized.map(({ id }) => id), values: sized.map(({ value }) => value) }),
  );

it('gives the records of runs back, whatever stands between them, and however they are cut into batches', () => {
  const encoder = new BatchEncoder();
  fc.assert(
    fc.property(fc.array(fc.tuple(runs, records), { minLength: 1, maxLength: 10 }), fc.nat(20_000), (given, most) => {
      const added: NewRecord[] = [];
      const batches: Buffer[] = [];
      encoder.begin(0);
      for (const [run, between] of given) {
        for (let next = 0; next < run.length;) {
          if (encoder.size + valueLength(run, next) > most && encoder.count > 0) {
            batches.push(encoder.finish().bytes);
            encoder.begin(0);
          }
          const from = next;
          next = encoder.addRun(run, from, most);
          // Headers are not counted before a record is there.
          expect(encoder.size).toBeLessThan(next - from > 1 ? most + 1500 : Number.POSITIVE_INFINITY);
        }
        for (const record of between) encoder.add(record);
        added.push(...run.list(), ...between);
      }
      batches.push(encoder.finish().bytes);
      const read = batches.flatMap((bytes) => {
        const cursor = new BatchCursor(bytes, 0);
        const taken: LogRecord[] = [];
        while (!cursor.done) taken.push(cursor.take());
        return taken;
      });
      expect(read.map(({ headers, timestamp }) => [headers, timestamp])).toEqual(
        added.map(({ headers, sharedHeaders = [], timestamp }) => [[...headers, ...sharedHeaders], timestamp]),
      );
      expect(read.every(({ value }, at) => Buffer.from(value).equals(added[at]!.value))).toBe(true);
      encoder.release();
    }),
  );
});

it('writes the headers of a run once in each batch, and a batch that has none as older releases do', () => {
  const encoder = new BatchEncoder();
  const values = Array.from({ length: 20 }, () => Buffer.alloc(10));
  const ids = values.map((_, index) => String(index + 10));
  const run = recordRun({ name: 'id', ids, values, sharedHeaders: ['a', 'b'.repeat(1000)], timestamp: 1 });
  const encoded = (add: () => unknown): Buffer => {
    encoder.begin(0);
    add();
    return encoder.finish().bytes;
  };
  const listed = encoded(() => run.list().forEach((record) => encoder.add(record)));
  const whole = encoded(() => encoder.addRun(run, 0, 100_000));
  const oneByOne = encoded(() => values.forEach((_, index) => encoder.addRun(run, index, 0)));
  expect([listed[0], whole[0], oneByOne[0]]).toEqual([1, 2, 1]);
  expect(oneByOne.equals(listed)).toBe(true);
  expect(whole.length).toBeLessThan(2000);
});

it('says that a batch is damaged whose records refer to headers that cannot be', () => {
  const encoder = new BatchEncoder();
  const values = [Buffer.alloc(10), Buffer.alloc(10)];
  const run = recordRun({ name: 'id', ids: ['1', '2'], values, sharedHeaders: [], timestamp: 1 });
  encoder.begin(0);
  encoder.addRun(run, 0, 1000);
  const bytes = Buffer.from(encoder.finish().bytes);
  const second = bytes.length - values[1]!.length - 1 - 8;
  expect(bytes.readUInt32LE(second)).toBe(32);
  const headersWith = (start: number, end: number): readonly string[] => {
    bytes.writeUInt32LE(start, second);
    bytes.writeUInt32LE(end, second + 4);
    const cursor = new BatchCursor(bytes, 0);
    cursor.take();
    return cursor.take().headers;
  };
  expect(headersWith(32, 32 + '["id","1"]'.length)).toEqual(['id', '2']);
  for (const [start, end] of [
    [40, 39],
    [32, second + 1],
    [2 ** 31, 2 ** 32 - 1],
  ] as const)
    expect(() => headersWith(start, end)).toThrow(expect.objectContaining({ code: 'log.unavailable' }));
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
