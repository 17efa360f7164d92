import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareText } from './compare-text.ts';
import { sortedNames } from './sorted-names.ts';

it('sorts names by code point, few and many', () => {
  const name = fc.oneof(fc.constantFrom('', 'a', 'ab', 'é', '\uffee', '😀', '😀a'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), (names) => {
      expect(sortedNames([...names])).toEqual(names.toSorted(compareText));
    }),
  );
});
