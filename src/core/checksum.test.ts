import { expect, test } from 'vitest';
import { crc32Checksum, isCrc32, parseChecksum } from './checksum.ts';

test('a checksum bears the name of its algorithm and all digits of its value', () => {
  expect(crc32Checksum(0)).toBe('crc32:00000000');
  expect(crc32Checksum(0xffffffff)).toBe('crc32:ffffffff');
  expect(parseChecksum('crc32:0000002a')).toBe(crc32Checksum(42));
});

test.each(['', 'crc32', 'crc32:', 'crc32:XY', ':00', 'crc 32:00'])('D9: %j is no checksum', (text) => {
  expect(parseChecksum(text)).toBeUndefined();
});

test('an algorithm of a later version is read, and told apart', () => {
  const later = parseChecksum('xxh3:00112233');
  expect(later).toBe('xxh3:00112233');
  expect(later === undefined || isCrc32(later)).toBe(false);
  expect(isCrc32(crc32Checksum(1))).toBe(true);
});
