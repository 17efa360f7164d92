import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatByteSize, parseByteSize } from './byte-size.ts';
import { formatDuration, parseDuration } from './duration.ts';

describe('sizes', () => {
  test('any number of bytes comes back from its text', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (bytes) => parseByteSize(formatByteSize(bytes)) === bytes));
  });

  test.each([
    ['100B', 100],
    ['256KB', 262_144],
    ['16kB', 16_384],
    ['5 mb', 5_242_880],
    ['1g', 1_073_741_824],
    ['7', 7],
  ])('%s is %d bytes', (text, bytes) => expect(parseByteSize(text)).toBe(bytes));

  test.each(['', 'B', '1.5MB', '-1B', '1XB', '5Mb', '5Mb ', '1 0B', '9999999PB', 'Infinity', '0x10'])(
    '%j is no size',
    (text) => {
      expect(parseByteSize(text)).toBeUndefined();
    },
  );

  test.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1KB'],
    [1536, '1536B'],
    [5_242_880, '5MB'],
  ])('%d bytes are shown as %s', (bytes, text) => expect(formatByteSize(bytes)).toBe(text));
});

describe('durations', () => {
  test('any whole number of microseconds comes back from its text', () => {
    const ms = fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((microseconds) => microseconds / 1000);
    fc.assert(
      fc.property(ms, (value) => {
        expect(parseDuration(formatDuration(value))).toEqual({ kind: 'duration', ms: value });
      }),
    );
  });

  test.each([
    ['30s', 30_000, '30s'],
    ['60s', 60_000, '1m0s'],
    ['1h15m30.5s', 4_530_500, '1h15m30.5s'],
    ['0.5h', 1_800_000, '30m0s'],
    ['5ms', 5, '5ms'],
    ['1500us', 1.5, '1.5ms'],
    ['250ns', 0.00025, '250ns'],
    ['0', 0, '0s'],
    ['-2s', -2000, '-2s'],
    ['+.5s', 500, '500ms'],
    ['168h', 604_800_000, '168h0m0s'],
  ])('%s is %d ms and shown as %s', (text, ms, shown) => {
    expect(parseDuration(text)).toEqual({ kind: 'duration', ms });
    expect(formatDuration(ms)).toBe(shown);
  });

  test.each([
    ['foo', 'time: invalid duration "foo"'],
    ['', 'time: invalid duration ""'],
    ['5', 'time: missing unit in duration "5"'],
    ['1x', 'time: unknown unit "x" in duration "1x"'],
    ['1s2', 'time: missing unit in duration "1s2"'],
    ['1 s', 'time: unknown unit " s" in duration "1 s"'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
    ['s', 'time: invalid duration "s"'],
    ['1s'.repeat(50), `time: invalid duration "${'1s'.repeat(32)}…"`],
    [`0.${'1'.repeat(100)}s`, `time: invalid duration "0.${'1'.repeat(62)}…"`],
  ])('%j is no duration, in the words of the reference', (text, message) => {
    expect(parseDuration(text)).toEqual({ kind: 'invalid', message });
  });
});
