import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextTree } from './text-tree.ts';

test('the longest that stands at a place is found, however many there are and however long they are alike', () => {
  const alike = fc.tuple(fc.nat(60), fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }));
  const text = alike.map(([length, end]) => `${'a'.repeat(length)}${end}`);
  const texts = fc.array(
    text.filter(({ length }) => length > 0),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(texts, text, fc.nat(10), (added, searched, at) => {
      const tree = new TextTree();
      for (const one of added) tree.add(one);
      const found = added.filter((one) => searched.startsWith(one, at)).map(({ length }) => length);
      expect(tree.longestAt(searched, at)).toBe(Math.max(0, ...found));
    }),
    { numRuns: 2000 },
  );
});
