import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseSpanContext } from './span-context.ts';

const id = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));

describe('a span context', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(id(32), id(16), fc.boolean(), (traceId, spanId, isSampled) => {
        const context = { traceId, spanId, isSampled, state: '' };
        expect(parseSpanContext(formatTraceparent(context))).toEqual(context);
      }),
    );
  });

  it('comes of any text, or does not, and never fails', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (text, state) => void parseSpanContext(text, state)));
  });
});
