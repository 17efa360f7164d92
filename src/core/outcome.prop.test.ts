import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeOutcome, encodeOutcome, outcomeHeaderBytes, type Outcome } from './outcome.ts';

const covers = {
  from: fc
    .maxSafeInteger()
    .map(Math.abs)
    .map((n) => n - 1),
  to: fc.maxSafeNat(),
  mappingVersion: fc.nat(),
};
const line = fc.uint8Array({ maxLength: 200 });
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constantFrom('row' as const, 'dead' as const), ...covers, arrivedAt: fc.maxSafeNat(), line }),
  fc.record({ kind: fc.constantFrom('filtered' as const, 'lost' as const, 'none' as const), ...covers }),
);

describe('outcomes as records', () => {
  test('an outcome comes back as it was written', () => {
    fc.assert(
      fc.property(outcome, (written) => {
        const read = decodeOutcome(encodeOutcome(written));
        expect('line' in read ? { ...read, line: Uint8Array.from(read.line) } : read).toEqual(written);
      }),
    );
  });

  test('the line is a view of the record, not a copy', () => {
    const bytes = encodeOutcome({
      kind: 'row',
      from: 0,
      to: 1,
      mappingVersion: 1,
      arrivedAt: 0,
      line: Buffer.from('a'),
    });
    const read = decodeOutcome(bytes);
    bytes[outcomeHeaderBytes] = 'b'.charCodeAt(0);
    expect('line' in read ? Buffer.from(read.line).toString() : '').toBe('b');
  });

  test('anything else is refused, whatever its bytes', () => {
    expect(() => decodeOutcome(new Uint8Array())).toThrow('holds a record that is no outcome');
    expect(() => decodeOutcome(new Uint8Array(outcomeHeaderBytes - 1))).toThrow('no outcome');
    expect(() => decodeOutcome(new Uint8Array(outcomeHeaderBytes).fill(9))).toThrow('no outcome');
  });
});
