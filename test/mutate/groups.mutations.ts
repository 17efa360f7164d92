import type { Mutation } from './mutation.ts';

const embedded = 'src/adapters/lmdb/log/assignment.ts';
const embeddedTest = 'src/adapters/lmdb/log/assignment.prop.test.ts';
const kafka = 'src/adapters/kafka/share-of-topics.ts';
const kafkaTest = 'src/adapters/kafka/share-of-topics.prop.test.ts';
const held = 'src/adapters/lmdb/log/member-partitions.ts';
const heldTest = 'src/adapters/lmdb/event-log.test.ts';

/** Who reads which partition, and from where. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'a partition of the embedded log belongs to one member',
    file: embedded,
    from: 'candidates[(topic.number + partition) % candidates.length]?.id === id',
    to: 'candidates[(topic.number + partition) % candidates.length]?.id <= id',
    test: { file: embeddedTest, title: 'gives each partition of a subscribed topic to exactly one member' },
  },
  {
    rule: 'a partition of the embedded log goes to a member that subscribes to its topic',
    file: embedded,
    from: 'ordered.filter((member) => member.topics.has(topic.name))',
    to: 'ordered',
    test: { file: embeddedTest, title: 'gives each partition of a subscribed topic to exactly one member' },
  },
  {
    rule: 'a partition of Kafka belongs to one member',
    file: kafka,
    from: 'partition += members.length',
    to: 'partition += 1',
    test: { file: kafkaTest, title: 'every partition is exactly one member' },
  },
  {
    rule: 'a member that is not on the list of its group holds nothing',
    file: kafka,
    from: 'return isMember ? before : undefined;',
    to: 'return before;',
    test: { file: kafkaTest, title: 'a stranger has none' },
  },
  {
    rule: 'nothing is read before the first seek',
    file: held,
    from: 'partition, at, position: undefined, paused: false',
    to: 'partition, at, position: 0, paused: false',
    test: { file: heldTest, title: 'reads nothing of them before the first seek' },
  },
  {
    rule: 'partitions that stay keep their positions',
    file: held,
    from: 'this.#byNumber.get(key) ?? {',
    to: '{',
    test: { file: heldTest, title: 'those that are held keep their positions' },
  },
  {
    rule: 'a partition that is held no more is not read',
    file: held,
    from: 'if (!byNumber.has(numberKey(partition.at))) this.#ready.delete(partition);',
    to: ';',
    test: { file: heldTest, title: 'D3: what a member holds no more is not in its next batches' },
  },
];
