import type { Mutation } from './mutation.ts';

const switches = 'src/core/progress/switch.ts';
const switchTest = 'src/core/progress/switch.test.ts';
const kafkaReads = 'src/adapters/kafka/partition-reads.ts';
const kafkaTest = 'src/adapters/kafka/event-log.kafka.test.ts';

/** The ends of topics: what can be read, what was acknowledged, and how many partitions there are. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'disabling and deleting end at the durable end',
    file: switches,
    from: 'for (const [partition, end] of durable) {',
    to: 'for (const [partition, end] of arguments[1].stable) {',
    test: { file: switchTest, title: 'D2: disabling ends at the durable end' },
  },
  {
    rule: 'disabling and deleting ask for what was accepted',
    file: switches,
    from: 'return requestRest({ ...progress, entries, open: false, deleted: progress.deleted || deleted });',
    to: 'return { ...progress, entries, open: false, deleted: progress.deleted || deleted };',
    test: { file: switchTest, title: 'D5: disabling asks for what was accepted at once' },
  },
  {
    rule: 'enabling begins at the stable end',
    file: switches,
    from: 'ends.stable.get(partition) ?? end',
    to: 'end',
    test: { file: switchTest, title: 'D2: enabling begins at the stable end' },
  },
  {
    rule: 'enabling never begins below the end of the interval before',
    file: switches,
    from: 'Math.max(knownEnd(entry), ends.stable.get(partition) ?? end)',
    to: 'ends.stable.get(partition) ?? end',
    test: { file: switchTest, title: 'D3: enabling behind an end that nobody could read yet begins at that end' },
  },
  {
    rule: 'a sink that is made again begins behind what the one before it has taken',
    file: switches,
    from: '? Math.max(end, taken) : end',
    to: '? end : end',
    test: { file: switchTest, title: 'D3: it begins behind what the one before it took' },
  },
  {
    rule: 'a sink that is made again takes the new events of a log that has lost its end',
    file: switches,
    from: 'return holds(entry, durable.get(partition) ?? end) ?',
    to: 'return true ?',
    test: { file: switchTest, title: 'D2: in a log that has lost its end it begins at the end' },
  },
  {
    rule: 'whoever makes a sink again looks what the one before it has taken',
    file: 'src/control/operations/prepare-sink.ts',
    from: '? beginsAfter(former, ends)',
    to: '? ends.stable',
    test: {
      file: 'test/e2e/foreign-transactions.kafka.test.ts',
      title: 'D3: are in the table once though the sink is deleted and made again while it is open',
    },
  },
  {
    rule: 'the durable end of Kafka is the high watermark',
    file: kafkaReads,
    from: "{ timestamp: latest, isolation: 'uncommitted' }",
    to: "{ timestamp: latest, isolation: 'committed' }",
    test: { file: kafkaTest, title: 'D2: behind an open transaction the durable end goes on' },
  },
  {
    rule: 'the stable end of Kafka is the last stable offset',
    file: kafkaReads,
    from: "{ timestamp: latest, isolation: 'committed' }",
    to: "{ timestamp: latest, isolation: 'uncommitted' }",
    test: { file: kafkaTest, title: 'D2: behind an open transaction the durable end goes on' },
  },
  {
    rule: 'the topic of a sink gets the partitions that its source got',
    file: 'src/stages/map/resume.ts',
    from: 'if (to.partitions <= partition)',
    to: 'if (to.partitions < 0)',
    test: {
      file: 'test/integration/grown-sources.test.ts',
      title: 'D2, D3, D4: its sinks follow without a restart',
    },
  },
  {
    rule: 'a partition that is added while the sink is open is wanted from its beginning',
    file: 'src/core/progress/sink-progress.ts',
    from: 'progress.entries[partition] ?? (progress.open ? addedWhileOpen : addedWhileClosed)',
    to: 'progress.entries[partition] ?? addedWhileClosed',
    test: {
      file: 'test/integration/grown-sources.test.ts',
      title: 'D2, D3, D4: what came into them while no process ran',
    },
  },
  {
    rule: 'an append finds the partitions that a known topic got',
    file: 'src/adapters/lmdb/log/group-commit.ts',
    from: 'known !== undefined && partition < known.partitions ? known :',
    to: 'known !== undefined ? known :',
    test: { file: 'src/adapters/lmdb/event-log.test.ts', title: 'gives a topic more partitions, which begin empty' },
  },
  {
    rule: 'other threads learn that a topic has grown',
    file: 'src/adapters/lmdb/log/topic-registry.ts',
    from: 'change: { deletions: deletions + 1 }, writes: () => this.#putTopic(larger',
    to: 'change: {}, writes: () => this.#putTopic(larger',
    test: { file: 'src/adapters/lmdb/event-log.test.ts', title: 'gives a topic more partitions, which begin empty' },
  },
  {
    rule: 'the progress page answers while the log is away',
    file: 'src/control/ends/ends-if-known.ts',
    from: "thrown.code === 'log.unavailable'",
    to: 'false',
    test: { file: 'src/api/log-away.test.ts', title: 'D4: the progress page answers while the log is away' },
  },
  {
    rule: 'the progress page waits for the log for a moment only',
    file: 'src/control/ends/ends-if-known.ts',
    from: 'AbortSignal.any([signal, late])',
    to: 'signal',
    test: { file: 'src/api/log-away.test.ts', title: 'D4: a log that does not answer keeps nobody' },
  },
  {
    rule: 'what is held back by an open transaction is counted from the stable end',
    file: 'src/core/progress/flush.ts',
    from: '(stable.get(partition) ?? end) - 1',
    to: 'end - 1',
    test: { file: 'src/core/progress/flush.test.ts', title: 'D2: what was acknowledged behind an open transaction' },
  },
  {
    rule: 'the partitions of a topic are those that any broker knows of',
    file: 'src/adapters/kafka/event-log.ts',
    from: 'await this.#directory.describeFully(name)',
    to: 'await this.#directory.describe(name)',
    test: {
      file: 'src/adapters/kafka/event-log.test.ts',
      title: 'D2: tells the ends of all partitions that any broker',
    },
  },
  {
    rule: 'a leader that the broker asked does not know of is asked of all',
    file: 'src/adapters/kafka/topic-directory.ts',
    from: '?? (await this.describeFully(name))?.leaders[partition]',
    to: '',
    test: {
      file: 'src/adapters/kafka/topic-directory.test.ts',
      title: 'of a partition that one of the brokers knows of',
    },
  },
  {
    rule: 'no broker that hangs holds up what all are asked',
    file: 'src/adapters/kafka/broker-panel.ts',
    from: 'await withinMs(allHeard, panelGraceMs)',
    to: 'await allHeard',
    test: { file: 'src/adapters/kafka/event-log.test.ts', title: 'D8: does not wait for one that hangs' },
  },
  {
    rule: 'a broker that did not tell is not waited for',
    file: 'src/adapters/kafka/broker-panel.ts',
    from: "for (const nodeId of expected) this.#silent.set(nodeId, 'asked');",
    to: '',
    test: { file: 'src/adapters/kafka/broker-panel.test.ts', title: 'D8: one that is silent is waited for once' },
  },
  {
    rule: 'the ends of a partition are asked of its own leader alone',
    file: 'src/adapters/kafka/event-log.ts',
    from: '      await this.#describeFully(at.topic);\n      return this.#range(at);',
    to: '      return (await this.ranges(at.topic, { signal }))[at.partition] ?? this.#range(at);',
    test: {
      file: 'src/adapters/kafka/event-log.test.ts',
      title: 'D6: tells the ends of a partition while another one has no leader',
    },
  },
];
