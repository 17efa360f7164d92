import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOfSortable, sortableId, sortableRange } from './sortable-id.ts';

/** Also NUL, lone surrogates and the characters around the borders. */
const unit = fc.oneof(
  fc.constantFrom(
    '\u0000',
    '\u0001',
    '\u0002',
    'a',
    '0',
    'é',
    '\ud7fe',
    '\ud7ff',
    '\ud800',
    '\udfff',
    '\ue000',
    '\uffff',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const id = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));

const byUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

describe('sortableId', () => {
  it('comes back as the id', () => {
    fc.assert(
      fc.property(id, (text) => {
        expect(idOfSortable(sortableId(text))).toBe(text);
      }),
    );
  });

  it('has the code unit order of the ids, by UTF-8 bytes and by code units', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [x, y] = [sortableId(a), sortableId(b)];
        expect(byUnits(x, y)).toBe(byUnits(a, b));
        expect(Math.sign(Buffer.compare(Buffer.from(x), Buffer.from(y)))).toBe(byUnits(a, b));
      }),
    );
  });

  it('is well-formed without NUL, and an ordinary id stays as it is', () => {
    fc.assert(
      fc.property(id, (text) => {
        expect(sortableId(text).isWellFormed()).toBe(true);
        expect(sortableId(text)).not.toContain('\u0000');
      }),
    );
    expect(sortableId('default/shop-1/orders@2')).toBe('default/shop-1/orders@2');
  });

  it('has ranges that hold exactly the ids with the prefix', () => {
    fc.assert(
      fc.property(id, id, fc.boolean(), (prefix, rest, isInside) => {
        const text = isInside ? prefix + rest : rest;
        const { start, end } = sortableRange(prefix);
        const sortable = sortableId(text);
        expect(start <= sortable && sortable < end).toBe(text.startsWith(prefix));
      }),
    );
  });
});
