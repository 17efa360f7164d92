import * as fc from 'fast-check';
import { lz4Compress, snappyCompress } from '@platformatic/wasm-utils';
import { crc32c } from '@platformatic/wasm-utils';
import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../ports/event-log.ts';
import { decompressedBytes } from './config.ts';
import { committedRecords, decodeBatches, encodeBatch, type DecodedBatch } from './record-batch.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

const producer = { id: 7n, epoch: 1, sequence: 3 };
const text = fc.string({ unit: 'binary', maxLength: 40 });
const record: fc.Arbitrary<NewRecord> = fc.record({
  value: fc.uint8Array({ maxLength: 300 }),
  headers: fc.array(fc.tuple(text, text), { maxLength: 5 }).map((pairs) => pairs.flat()),
  sharedHeaders: fc.constantFrom<readonly string[]>([], ['a', 'ěščř'], ['x-long', 'y'.repeat(500), '', '']),
  timestamp: fc.nat({ max: 2 ** 52 }),
});

function decode(bytes: Buffer): DecodedBatch[] {
  const batches: DecodedBatch[] = [];
  decodeBatches(bytes, batches);
  return batches;
}

/** The batch with its records compressed, as another producer sends it. */
function compressed(batch: Buffer, codec: number, compress: (bytes: Buffer) => Buffer): Buffer {
  const bytes = Buffer.concat([batch.subarray(0, 61), compress(Buffer.from(batch.subarray(61)))]);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes.writeInt16BE(codec, 21);
  bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17);
  return bytes;
}

/** As Java producers frame it. */
function xerial(bytes: Buffer): Buffer {
  const half = Math.floor(bytes.length / 2);
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].flatMap((chunk) => {
    const packed = snappyCompress(Buffer.from(chunk));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(packed.length);
    return [length, packed];
  });
  const header = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  return Buffer.concat([header, ...chunks]);
}

const codecs: readonly (readonly [name: string, codec: number, compress: (bytes: Buffer) => Buffer])[] = [
  ['gzip', 1, (bytes) => gzipSync(bytes)],
  ['snappy', 2, snappyCompress],
  ['snappy in the frames of Java', 2, xerial],
  ['lz4', 3, lz4Compress],
  ['zstd', 4, (bytes) => zstdCompressSync(bytes)],
];

describe('a batch of records', () => {
  it('is read as it was written: values, headers in order with names that repeat, times', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
        const [batch] = decode(encodeBatch(records, producer));
        expect(batch?.records.map(({ value }) => Buffer.from(value))).toEqual(
          records.map(({ value }) => Buffer.from(value)),
        );
        expect(batch?.records.map(({ headers, timestamp, offset }) => ({ headers, timestamp, offset }))).toEqual(
          records.map(({ headers, sharedHeaders = [], timestamp }, offset) => ({
            headers: [...headers, ...sharedHeaders],
            timestamp,
            offset,
          })),
        );
      }),
    );
  });

  it('headers that are alike in length only are those of their own record', () => {
    const lists = [['a', '1'], ['a', '1'], ['a', '2'], [], [], ['b', '2'], ['a', '12', 'b', ''], ['a', '1']];
    const records = lists.map((headers) => ({ value: Buffer.from('x'), headers, timestamp: 1 }));
    expect(decode(encodeBatch(records, producer))[0]?.records.map(({ headers }) => headers)).toEqual(lists);
  });

  it.each(codecs)('is read when it is compressed with %s', (_, codec, compress) => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
        const plain = encodeBatch(records, producer);
        expect(decode(compressed(plain, codec, compress))).toEqual(decode(plain));
      }),
      { numRuns: 30 },
    );
  });

  describe.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)('in %s', (type) => {
    const limit = { type, upToBytes: 10_000_000 };
    const recordOf = (value: Uint8Array): NewRecord => ({ value, headers: ['a', 'b'], timestamp: 7 });

    it('is read as it was written', () => {
      fc.assert(
        fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
          expect(decode(encodeBatch(records, producer, limit))).toEqual(decode(encodeBatch(records, producer)));
        }),
        { numRuns: 30 },
      );
    });

    it('is smaller, and as it is where that makes it no smaller', () => {
      const text = [recordOf(Buffer.from('to be or not to be, '.repeat(100)))];
      expect(encodeBatch(text, producer, limit).length).toBeLessThan(encodeBatch(text, producer).length / 4);
      const noise = [recordOf(randomBytes(2000))];
      expect(encodeBatch(noise, producer, limit)).toEqual(encodeBatch(noise, producer));
    });

    it('D8: is as it is where it is larger than what may be compressed', () => {
      const text = [recordOf(Buffer.from('to be or not to be, '.repeat(100)))];
      const plain = encodeBatch(text, producer);
      expect(encodeBatch(text, producer, { type, upToBytes: plain.length - 1 })).toEqual(plain);
      expect(encodeBatch(text, producer, { type, upToBytes: plain.length }).length).toBeLessThan(plain.length);
    });

    it('D8: of many that become far more than they are, so many are taken as memory is meant for', () => {
      const half = encodeBatch([recordOf(Buffer.alloc(decompressedBytes / 2))], producer, limit);
      const bytes = Buffer.concat(Array.from({ length: 9 }, () => half));
      expect(decode(bytes)).toHaveLength(2);
      expect(decode(half)).toHaveLength(1);
    });
  });

  it('D2: is read though times are as far apart as 64 bits allow: nobody checks the clocks of producers', () => {
    const times = [-(10 ** 18), 5, 10 ** 18];
    const [batch] = decode(
      encodeBatch(
        times.map((timestamp) => ({ value: Buffer.from('a'), headers: [], timestamp })),
        producer,
      ),
    );
    expect(batch?.records.map(({ value }) => Buffer.from(value).toString())).toEqual(['a', 'a', 'a']);
    expect(batch?.records[0]?.timestamp).toBe(-(10 ** 18));
  });

  it('that is cut at the end of an answer is left for the next one', () => {
    const records = [{ value: Buffer.from('a'), headers: [], timestamp: 1 }];
    const whole = encodeBatch(records, producer);
    for (let length = 0; length < whole.length; length += 1) {
      expect(decode(Buffer.concat([whole, whole.subarray(0, length)]))).toHaveLength(1);
    }
  });

  it.each([...codecs, ['an unknown codec', 5, (bytes: Buffer) => bytes] as const])(
    'that is damaged is refused and takes nothing with it: %s',
    (_, codec) => {
      const good = encodeBatch([{ value: Buffer.from('a'), headers: ['b', 'c'], timestamp: 1 }], producer);
      const bad = compressed(good, codec, () => Buffer.from('this is nothing of the kind'));
      const batches: DecodedBatch[] = [];
      expect(() => decodeBatches(Buffer.concat([good, bad]), batches)).toThrow(Error);
      expect(batches).toHaveLength(1);
      const flipped = Buffer.from(good);
      flipped[good.length - 1] = 0xff;
      expect(() => decode(flipped)).toThrow(/checksum/);
      expect(decode(good)).toHaveLength(1);
    },
  );

  it('that compaction left empty says how far it went', () => {
    const empty = encodeBatch([], producer);
    empty.writeInt32BE(4, 23);
    empty.writeUInt32BE(crc32c(empty.subarray(21)), 17);
    expect(decode(empty)).toMatchObject([{ firstOffset: 0, lastOffset: 4, records: [] }]);
  });

  it('D2: a marker that compaction left empty is one, and keeps nothing from being read', () => {
    const empty = encodeBatch([], producer);
    empty.writeInt16BE(0b11_0000, 21);
    empty.writeUInt32BE(crc32c(empty.subarray(21)), 17);
    expect(decode(empty)).toMatchObject([{ marker: 'commit', records: [] }]);
  });

  it('D4: of an aborted transaction none of the records count, of others all', () => {
    const of = (offset: number, producerId: bigint, marker?: 'commit' | 'abort'): DecodedBatch => ({
      firstOffset: offset,
      lastOffset: offset,
      epoch: 0,
      producerId,
      isTransactional: true,
      marker,
      records:
        marker === undefined ? [placedRecord({ value: Buffer.alloc(0), headers: [], timestamp: 1 }, offset)] : [],
    });
    const batches = [of(0, 1n), of(1, 2n), of(2, 1n, 'abort'), of(3, 1n), of(4, 2n, 'commit'), of(5, 1n, 'commit')];
    const records = committedRecords(batches, [{ producerId: 1n, firstOffset: 0 }]);
    expect(records.map(({ offset }) => offset)).toEqual([1, 3]);
  });
});
