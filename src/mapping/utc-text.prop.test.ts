import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { utcText, UtcText } from './utc-text.ts';

const utc = new UtcText();

test('a time between the years 0000 and 9999 is written as toISOString writes it', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, fc.integer({ min: -1500, max: 1500 }), (first, step) => {
      for (const ms of [first.getTime(), first.getTime() + step]) {
        const text = new Date(ms).toISOString();
        expect(utc.bytes(ms)?.toString()).toBe(/^[0-9]/.test(text) ? text : undefined);
      }
    }),
  );
});

test.each([Number.NaN, Infinity, -1e15, 1e15, 253_402_300_800_000])('%d has no such text', (ms) => {
  expect(utc.bytes(ms)).toBeUndefined();
  expect(utcText(ms)).toBe(String(ms));
});
