import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { partitionsOf, type AssignableTopic, type GroupCandidate } from './assignment.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

const topics: fc.Arbitrary<readonly AssignableTopic[]> = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...names), number: fc.nat(1000), partitions: fc.integer({ min: 1, max: 8 }) }),
  { selector: ({ name }) => name },
);

const members: fc.Arbitrary<readonly GroupCandidate[]> = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1 }), topics: fc.subarray(names).map((subset) => new Set(subset)) }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
);

/** What each member computes for itself, from its own subscription. */
function sharedOut(all: readonly AssignableTopic[], group: readonly GroupCandidate[]): readonly string[] {
  return group.flatMap((member) => {
    const own = all.filter(({ name }) => member.topics.has(name));
    return partitionsOf(member.id, own, group).map(({ topic, partition }) => `${topic.name}/${partition} ${member.id}`);
  });
}

it('gives each partition of a subscribed topic to exactly one member that subscribes to it', () => {
  fc.assert(
    fc.property(topics, members, (all, group) => {
      const wanted = all.filter(({ name }) => group.some((member) => member.topics.has(name)));
      const expected = wanted.flatMap(({ name, partitions }) =>
        Array.from({ length: partitions }, (_, partition) => `${name}/${partition}`),
      );
      const given = sharedOut(all, group).map((held) => held.slice(0, held.indexOf(' ')));
      expect(given.toSorted()).toEqual(expected.toSorted());
    }),
  );
});

it('does not depend on the order of members, and a topic that comes moves no other partition', () => {
  fc.assert(
    fc.property(topics, members, (all, group) => {
      const before = sharedOut(all, group);
      expect(sharedOut(all, group.toReversed()).toSorted()).toEqual(before.toSorted());
      const without = sharedOut(all.slice(1), group);
      expect(without.filter((held) => !before.includes(held))).toEqual([]);
    }),
  );
});

it('shares the partitions of a topic evenly', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(1000),
      (partitions, count, number) => {
        const group = Array.from({ length: count }, (_, id) => ({ id: String(id), topics: new Set(['a']) }));
        const sizes = group.map(({ id }) => partitionsOf(id, [{ name: 'a', number, partitions }], group).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      },
    ),
  );
});
