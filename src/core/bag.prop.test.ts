import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bag, type Bagged } from './bag.ts';

interface Item extends Bagged {
  readonly id: number;
}

const count = 8;
const command = fc.record({ kind: fc.constantFrom('add', 'delete'), id: fc.nat(count - 1) });

it('holds what a set would hold, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const items = Array.from({ length: count }, (_, id): Item => ({ id, place: -1 }));
      const [bag, model] = [new Bag<Item>(), new Set<Item>()];
      for (const { kind, id } of commands) {
        const item = items[id];
        if (item === undefined) throw new Error('no such item');
        if (kind === 'add') {
          bag.add(item);
          model.add(item);
        } else {
          bag.delete(item);
          model.delete(item);
        }
        expect(bag.size).toBe(model.size);
        expect(new Set(bag)).toEqual(model);
        for (const one of items) expect(bag.has(one)).toBe(model.has(one));
      }
    }),
  );
});

it('is looked at as it was, whatever is taken away meanwhile', () => {
  const bag = new Bag<Item>();
  const items = Array.from({ length: 4 }, (_, id): Item => ({ id, place: -1 }));
  for (const item of items) bag.add(item);
  const seen: number[] = [];
  for (const item of bag) {
    seen.push(item.id);
    for (const other of items) bag.delete(other);
  }
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(bag.size).toBe(0);
});

it('takes nothing from a bag that it is not in', () => {
  const [bag, other] = [new Bag<Item>(), new Bag<Item>()];
  const items = Array.from({ length: 3 }, (_, id): Item => ({ id, place: -1 }));
  const [first, second, third] = items;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no such item');
  for (const item of [first, second]) bag.add(item);
  other.add(third);
  bag.delete(third);
  other.add(first);
  other.delete(second);
  expect([[...bag], [...other]]).toEqual([[first, second], [third]]);
  expect(items.map((item) => [bag.has(item), other.has(item)])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ]);
});
