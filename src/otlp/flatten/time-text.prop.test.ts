import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonWriter } from './json-writer.ts';
import { TimeText } from './time-text.ts';

const second = 1_000_000_000n;
const largest = 2n ** 64n - 1n;

const nanos = fc
  .tuple(
    fc.oneof(fc.bigInt(0n, largest / second), fc.constantFrom(0n, 1n, largest / second)),
    fc.oneof(fc.bigInt(-300n, 300n), fc.bigInt(0n, second), fc.constantFrom(120_000_000n)),
  )
  .map(([seconds, rest]) => seconds * second + rest)
  .filter((value) => value >= 0n && value <= largest);

/** As a decoder has it: a number where that is exact. */
function decoded(value: bigint): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function written(write: (out: JsonWriter) => void): string {
  const out = new JsonWriter();
  write(out);
  return String(out.finish());
}

test('A19: a time has all its nanoseconds in both forms, also next to a full second', () => {
  const time = new TimeText();
  fc.assert(
    fc.property(nanos, (value) => {
      time.set(decoded(value));
      const fraction = String(value % second)
        .padStart(9, '0')
        .replace(/0+$/, '');
      const whole = new Date(Number(value / second) * 1000).toISOString().slice(0, 19);
      const text = `${whole}${fraction === '' ? '' : '.'}${fraction}Z`;
      expect(written((out) => time.write(out))).toBe(value === 0n ? '' : text);
      expect(written((out) => time.writeNanos(out))).toBe(String(value));
    }),
    { numRuns: 1000 },
  );
});

test('how much later a time is than another has all its nanoseconds', () => {
  fc.assert(
    fc.property(nanos, nanos, (start, end) => {
      const [from, to] = [new TimeText(), new TimeText()];
      from.set(decoded(start));
      to.set(decoded(end));
      expect(BigInt(from.nanosTo(to))).toBe(end - start);
    }),
  );
});
