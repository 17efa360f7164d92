import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partitionKey } from '../../ports/event-log.ts';
import { shareOfTopics } from './share-of-topics.ts';

const members = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 6 });
const topics = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 8 }),
    identity: fc.constant('a'),
    partitions: fc.integer({ min: 1, max: 9 }),
  }),
  { selector: ({ name }) => name, maxLength: 20 },
);

const sharesOf = (of: Parameters<typeof shareOfTopics>[0], group: readonly string[]) =>
  new Map(group.map((member) => [member, shareOfTopics(of, group, member).map(partitionKey)]));

describe('the share of a member', () => {
  it('every partition is exactly one member’s, and the members of one topic differ by one partition at most', () => {
    fc.assert(
      fc.property(topics, members, (of, group) => {
        const all = of.flatMap(({ name, partitions }) =>
          Array.from({ length: partitions }, (_, partition) => partitionKey({ topic: name, partition })),
        );
        expect([...sharesOf(of, group).values()].flat().sort()).toEqual(all.sort());
        for (const topic of of) {
          const counts = group.map((member) => shareOfTopics([topic], group, member).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('does not depend on the order of the list, nor on other topics', () => {
    fc.assert(
      fc.property(topics, members, (of, group) => {
        const [member = ''] = group;
        const alone = of.flatMap((topic) => shareOfTopics([topic], group, member));
        expect(shareOfTopics(of, group.toReversed(), member)).toEqual(alone);
      }),
    );
  });

  it('a member that leaves moves, of topics with one partition, only its own', () => {
    fc.assert(
      fc.property(topics, members, (of, group) => {
        const single = of.map(({ name }) => ({ name, identity: 'a', partitions: 1 }));
        const [, ...stay] = group;
        for (const member of stay) {
          const after = new Set(shareOfTopics(single, stay, member).map(partitionKey));
          expect(shareOfTopics(single, group, member).filter((at) => !after.has(partitionKey(at)))).toEqual([]);
        }
      }),
    );
  });

  it('a stranger has none', () => {
    expect(shareOfTopics([{ name: 'a', identity: 'a', partitions: 3 }], ['one'], 'other')).toEqual([]);
  });

  it('a thousand topics of one partition are spread over two members within a tenth', () => {
    const many = Array.from({ length: 1000 }, (_, number) => ({
      name: `sink.default.shop.s${number}.1`,
      identity: 'a',
      partitions: 1,
    }));
    const count = shareOfTopics(many, ['millrace-a-1', 'millrace-b-2'], 'millrace-a-1').length;
    expect(Math.abs(count - 500)).toBeLessThan(100);
  });
});
