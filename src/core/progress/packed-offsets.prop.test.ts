import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsOffset, packOffsets } from './packed-offsets.ts';

const offset = fc.oneof(fc.nat(40), fc.nat());

test('packed offsets hold those that were packed, in whatever order, and no others', () => {
  fc.assert(
    fc.property(fc.array(offset), offset, (offsets, asked) => {
      const packed = packOffsets(offsets);
      expect(packed).toHaveLength(offsets.length);
      for (const one of offsets) expect(holdsOffset(packed, one)).toBe(true);
      expect(holdsOffset(packed, asked)).toBe(offsets.includes(asked));
    }),
  );
});
