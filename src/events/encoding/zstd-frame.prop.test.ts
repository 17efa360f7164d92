import { constants, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFrameCut } from './zstd-frame.ts';

test('A45: a zstd frame is cut when a byte of it is missing, of any level, with and without a checksum and its size', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 20_000 }))
      .map(([part, times]) => {
        return Buffer.concat(Array.from({ length: times }, () => part));
      }),
  );
  const flag = fc.constantFrom(0, 1);
  const options = fc.record({ level: fc.constantFrom(1, 3, 9), checksum: flag, size: flag });
  fc.assert(
    fc.property(bytes, options, fc.nat(), (body, { level, checksum, size }, at) => {
      const params = {
        [constants.ZSTD_c_compressionLevel]: level,
        [constants.ZSTD_c_checksumFlag]: checksum,
        [constants.ZSTD_c_contentSizeFlag]: size,
      };
      const frame = zstdCompressSync(body, { params });
      expect(isFrameCut(frame)).toBe(false);
      expect(isFrameCut(Buffer.concat([frame, Buffer.of(1)]))).toBe(false);
      expect(isFrameCut(frame.subarray(0, -1))).toBe(true);
      expect(isFrameCut(frame.subarray(0, at % frame.length))).toBe(true);
    }),
  );
});

test('A45: what is no zstd frame is for its decoder to refuse', () => {
  expect(isFrameCut(Buffer.from('{"a":1}'))).toBe(false);
  const reserved = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01, 0x07, 0, 0]);
  expect(isFrameCut(reserved)).toBe(false);
});
