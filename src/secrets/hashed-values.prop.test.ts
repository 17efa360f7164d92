import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from '../core/parse-json-text.ts';
import { changeHashed, hashedValues } from './hashed-values.ts';

const keys = fc.oneof(fc.constantFrom('#a', '#', 'a', '##', 'a#', '"#', '\\', ''), fc.string());
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.constantFrom('#a', '{"#a":1}'), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const objects = fc.tuple(fc.dictionary(keys, json, { noNullPrototype: true }), fc.constantFrom(undefined, 2));

/** The same by the parsed value. */
function expected(value: unknown, isHashed: boolean): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => expected(one, isHashed));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => expected(one, key.startsWith('#')));
  if (!isHashed || value === null) return [];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

test('A59: exactly the plain values below keys with # are secrets, wherever they are', () => {
  fc.assert(
    fc.property(objects, ([object, indent]) => {
      const text = JSON.stringify(object, undefined, indent);
      expect(hashedValues(text).map(({ value }) => value)).toEqual(expected(parseJsonText(text), false));
    }),
  );
});

test('A59: what is no secret stays as it was written, and the text is JSON', () => {
  fc.assert(
    fc.property(objects, ([object, indent]) => {
      const text = JSON.stringify(object, undefined, indent);
      const changed = changeHashed(text, ({ value }) => `"${value}`);
      const back = hashedValues(changed).map(({ value }) => value);
      expect(back).toEqual(hashedValues(text).map(({ value }) => `"${value}`));
      let count = 0;
      const marked = (): string => String((count += 1));
      const [first, second] = [changeHashed(text, marked), changeHashed(changed, () => '')];
      expect(changeHashed(first, () => '')).toBe(second);
    }),
  );
});
