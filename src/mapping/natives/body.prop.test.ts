import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ingestedEvent, mapOnce, pathColumn } from '../../../test/support/mapping-fixture.ts';
import type { Column, ColumnOf } from '../../core/column.ts';
import type { MappedEvent } from '../mapped-event.ts';

function template(content: string): ColumnOf<'template'> {
  return { type: 'template', name: 't', rawString: false, template: { language: 'jsonnet', content } };
}

const key = fc.constantFrom('a', 'b', 'a.b', '[0]', '"', '__proto__', 'constructor', '', 'ü', '0');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5, 1e21, 9007199254740991, 'x', 'ü😀"\\'),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
}));

function objectOf(inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  // Own members, also of the name that an assignment would take for the prototype.
  return fc.array(fc.tuple(key, inner), { maxLength: 4 }).map((members) => Object.fromEntries(members));
}

const step = fc.oneof(
  key.map((text) => `[${JSON.stringify(text)}]`),
  fc.nat({ max: 2 }).map((index) => `[${index}]`),
);

/** What a column finds, parsed, since a path column keeps the digits of a number. */
function found(column: Column, event: MappedEvent): { readonly json: unknown } | 'nothing' {
  const mapped = mapOnce(event, [column]);
  return 'cells' in mapped ? { json: JSON.parse(mapped.cells[0] ?? '') as unknown } : 'nothing';
}

test('Body finds what a path column finds in the same event, its index entering arrays alone', () => {
  fc.assert(
    fc.property(objectOf(value), fc.array(step, { minLength: 1, maxLength: 3 }), (body, steps) => {
      const path = steps.join('');
      const text = JSON.stringify(path);
      const event = ingestedEvent({ body: JSON.stringify(body) });
      const literal = found(template(`Body(${text})`), event);
      expect(found(template(`local path = ${text}; Body(path)`), event)).toEqual(literal);
      // Path columns take an index for a key and a key for an index, where Body finds nothing.
      const isAmbiguous = literal === 'nothing' && steps.some((one) => /^\["?\d"?\]$/.test(one));
      expect(literal).toEqual(isAmbiguous ? 'nothing' : found(pathColumn(path), event));
    }),
  );
});
