import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeOutcome,
  encodeOutcome,
  OutcomeEncoder,
  outcomeEpoch,
  outcomeHeaderBytes,
  outcomeHeaders,
  type Outcome,
} from './outcome.ts';

const covers = fc
  .uniqueArray(
    fc.maxSafeInteger().map((n) => Math.max(-1, n)),
    { minLength: 2, maxLength: 2 },
  )
  .map(([a = 0, b = 0]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const mappingVersion = fc.nat();
const line = fc.uint8Array({ maxLength: 200 });
const withLine = fc.record({
  kind: fc.constantFrom('row' as const, 'dead' as const),
  mappingVersion,
  arrivedAt: fc.maxSafeNat(),
  line,
});
const packed = fc.record({
  kind: fc.constant('packed' as const),
  mappingVersion,
  arrivedAt: fc.maxSafeNat(),
  rows: fc.nat(),
  dead: fc.nat(),
  filtered: fc.nat(),
  rowLines: line,
  deadLines: line,
});
const run = fc.record({ kind: fc.constantFrom('filtered' as const, 'lost' as const, 'none' as const), mappingVersion });
const outcome: fc.Arbitrary<Outcome> = fc
  .tuple(fc.oneof(withLine, packed, run), covers)
  .map(([what, offsets]) => ({ ...what, ...offsets }));

/** With lines that are no Buffers. */
function plain(outcome: Outcome): Outcome {
  if (outcome.kind === 'row' || outcome.kind === 'dead') return { ...outcome, line: Uint8Array.from(outcome.line) };
  if (outcome.kind !== 'packed') return outcome;
  const { rowLines, deadLines } = outcome;
  return { ...outcome, rowLines: Uint8Array.from(rowLines), deadLines: Uint8Array.from(deadLines) };
}

describe('outcomes as records', () => {
  test('an outcome comes back as it was written', () => {
    fc.assert(
      fc.property(outcome, (written) => {
        expect(plain(decodeOutcome(encodeOutcome(written)))).toEqual(written);
      }),
    );
  });

  test('outcomes that share memory come back, each as it was written', () => {
    fc.assert(
      fc.property(fc.array(outcome), (written) => {
        const encoder = new OutcomeEncoder(written);
        const values = written.map((each) => encoder.encode(each));
        expect(values.map((value) => plain(decodeOutcome(value)))).toEqual(written);
      }),
    );
  });

  test('D2: the epoch that it was read in comes back as it was written; other headers have none', () => {
    fc.assert(
      fc.property(fc.option(fc.nat(), { nil: undefined }), (epoch) => {
        expect(outcomeEpoch(outcomeHeaders(epoch))).toBe(epoch);
      }),
    );
    for (const headers of [['other', '4'], ['epoch', ''], ['epoch', '-1'], ['epoch', 'x'], ['epoch']])
      expect(outcomeEpoch(headers)).toBeUndefined();
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

  test('offsets that no record can have are refused: a document would keep them for ever', () => {
    const filtered = { kind: 'filtered', mappingVersion: 1 } as const;
    for (const [from, to] of [
      [0, 0],
      [1, 0],
      [-2, 0],
      [0, 1e200],
      [0.5, 1],
      [0, 1.5],
      [Number.NaN, 1],
      [0, Number.NaN],
      [0, Number.POSITIVE_INFINITY],
    ] as const) {
      expect(() => decodeOutcome(encodeOutcome({ ...filtered, from, to }))).toThrow('no outcome');
    }
  });
});
