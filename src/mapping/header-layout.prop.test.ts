import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oddCharacters } from '../../test/support/mapping-fixture.ts';
import { canonicalHeaders, headersJson } from './canonical-headers.ts';
import { HeaderLayout } from './header-layout.ts';

test('a layout writes the same with and without memory of the names', () => {
  const layout = new HeaderLayout();
  const name = fc.constantFrom('x-a', 'X-A', 'x-b', 'cookie', 'accept', '<', '"');
  const headers = fc
    .array(fc.tuple(name, fc.string({ unit: fc.constantFrom(...oddCharacters) })), { maxLength: 5 })
    .map((pairs) => pairs.flat());
  fc.assert(
    fc.property(headers, (list) => {
      const text = headersJson(canonicalHeaders(list));
      expect(layout.json(list)).toBe(text);
      expect(layout.json([...list])).toBe(text);
      expect(JSON.parse(text)).toEqual(Object.fromEntries(canonicalHeaders(list)));
    }),
  );
});
