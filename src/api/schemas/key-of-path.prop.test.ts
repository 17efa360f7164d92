import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { madeSinkId, madeSourceId } from './made-id.ts';
import { sinkKeyOf } from './key-of-path.ts';

/** Those that a slug keeps come often. */
const character = fc.oneof(
  fc.integer({ min: 0xc0, max: 0x17f }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('a', 'Z', '0', ' ', '-', '_', '.'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const names = fc.string({ unit: character, minLength: 1, maxLength: 40 });

test('whatever id a name makes, its path leads to it', () => {
  fc.assert(
    fc.property(names, (name) => {
      const made = madeOf(name);
      if (made === undefined) return;
      expect(sinkKeyOf({ branchId: 'default', ...made })).toEqual({ branchId: 1, ...made });
    }),
    { examples: [['5×7'], ['a÷b'], ['ß'], ['Ŧŋ']] },
  );
});

/** Undefined for a name that makes no id. */
function madeOf(name: string): { readonly sourceId: string; readonly sinkId: string } | undefined {
  try {
    return { sourceId: madeSourceId({ name }), sinkId: madeSinkId({ name }) };
  } catch {
    return undefined;
  }
}
