import type { Mutation } from './mutation.ts';

const contract = 'src/adapters/lmdb/event-log.test.ts';
const remade = 'test/integration/remade-topics.test.ts';
const lost = 'test/integration/lost-topics.test.ts';
const damaged = 'test/integration/damaged-log.test.ts';

/** Topics that are made anew under their names, and what is missing inside the embedded log. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'an append tells what is wrong by its promise',
    file: 'src/adapters/lmdb/log/group-commit.ts',
    from: 'return Promise.reject(thrown);',
    to: 'throw thrown;',
    test: { file: 'src/adapters/lmdb/event-log.test.ts', title: 'D1: tells what is wrong by its promise' },
  },
  {
    rule: 'another identity is another partition',
    file: 'src/ports/event-log.ts',
    from: 'return `${at.topic}/${at.partition}@${at.identity}`;',
    to: 'return `${at.topic}/${at.partition}`;',
    test: { file: contract, title: 'D3: is another partition to a member that reads it' },
  },
  {
    rule: 'a batch is mapped only for sinks whose documents have its identity',
    file: 'src/stages/map/partition-mapper.ts',
    from: 'checkSource(cursor.progress, batch);',
    to: '',
    test: {
      file: 'src/stages/map/partition-mapper.test.ts',
      title: 'D3: a batch of another existence of the source topic than the document knows is mapped for no sink',
    },
  },
  {
    rule: 'the append of a mapper names the identity of the topic that it means',
    file: 'src/stages/map/partition-mapper.ts',
    from: 'identity: topics.sinkIdentity, ',
    to: '',
    test: { file: remade, title: 'D3, D6: a sink topic that has grown past the position by then stops its sink' },
  },
  {
    rule: 'the embedded log refuses an append that means another existence of its topic',
    file: 'src/adapters/lmdb/log/group-commit.ts',
    from: 'if (row.identity !== identity) throw topicChanged({ topic: row.name, identity: row.identity }, identity);',
    to: '',
    test: { file: contract, title: 'D3: takes no append that means the one before' },
  },
  {
    rule: 'an append for a partition that is gone does not move to the one that its topic has now',
    file: 'src/adapters/lmdb/log/group-commit.ts',
    from: "identity === row.identity ? 'meant' : 'others'",
    to: "identity === '' ? 'others' : 'meant'",
    test: { file: contract, title: 'D3: takes no append that means the one before' },
  },
  {
    rule: 'a trim names the identity of the topic that it means',
    file: 'src/adapters/lmdb/log/topic-registry.ts',
    from: 'if (row.identity !== at.identity) throw topicChanged({ topic: row.name, identity: row.identity }, at.identity);',
    to: '',
    test: { file: contract, title: 'D2, D3: loses nothing by a trim that means the one before' },
  },
  {
    rule: 'an offset that is missing inside the embedded log is lost',
    file: 'src/adapters/lmdb/log/member-partitions.ts',
    from: "missing: 'lost'",
    to: "missing: 'none'",
    test: { file: damaged, title: 'D2, D4: a batch that is missing between two others is holes with an alarm' },
  },
  {
    rule: 'what is missing at the end of the embedded log is passed',
    file: 'src/adapters/lmdb/log/batch-reader.ts',
    from: 'if (cursor === undefined) next = end;',
    to: '',
    test: { file: damaged, title: 'D2, D4: a batch that is missing at the end is holes at once' },
  },
  {
    rule: 'a source topic that is lost keeps no sink from being deleted',
    file: 'src/control/operations/change-progress.ts',
    from: 'forGood: deleted',
    to: 'forGood: false',
    test: {
      file: 'src/control/lost-source-topics.test.ts',
      title: 'D6: a source topic that was deleted does not keep its sink from being deleted',
    },
  },
  {
    rule: 'an incarnation whose source topic is lost ends behind what it has outcomes for',
    file: 'src/core/progress/switch.ts',
    from: 'mapped.get(partition) ?? 0',
    to: '0',
    test: {
      file: 'src/core/progress/switch.test.ts',
      title: 'D2: with a source topic that is lost it ends behind what it has outcomes for',
    },
  },
  {
    rule: 'of a lost source topic all that has outcomes is taken before the rest is given up',
    file: 'src/stages/import/lost-topics.ts',
    from: 'low: isPassed(base, range) ? undefined : range.first',
    to: 'low: undefined',
    test: { file: lost, title: 'delivers all that has outcomes' },
  },
  {
    rule: 'what was passed over is taken before the rest is given up',
    file: 'src/stages/import/lost-topics.ts',
    from: '(base.sink >= durableEnd && lostSource(base) !== undefined)',
    to: 'base.sink >= durableEnd',
    test: { file: lost, title: 'D2, D4: counts as holes what was not mapped again' },
  },
  {
    rule: 'the last outcome of a topic need not be of the highest offset: it may be a repeat',
    file: 'src/control/ends/outcome-ends.ts',
    from: 'Math.max(reading.end, this.#header.to + 1)',
    to: 'this.#header.to + 1',
    test: { file: lost, title: 'D2: deleted: delivers all that its topic has outcomes for' },
  },
  {
    rule: 'what its source topic still has is not given up',
    file: 'src/stages/import/lost-topics.ts',
    from: 'wanted >= sourceEnd(sources, partition)',
    to: 'wanted >= 0',
    test: {
      file: lost,
      title: 'D2: a deleted sink gives up nothing while its topics are there, however long nobody maps',
    },
  },
  {
    rule: 'only a deleted incarnation gives up what it wants',
    file: 'src/core/progress/forgo.ts',
    from: "if (!progress.deleted) return refused('only a deleted incarnation gives up what it still wants');",
    to: '',
    test: {
      file: 'src/core/progress/forgo.test.ts',
      title: 'D2: an incarnation that is not deleted gives up nothing of what it wants',
    },
  },
  {
    rule: 'what is missing inside the topic of a sink, when its source has lost it, too, is given up',
    file: 'src/stages/import/lost-topics.ts',
    from: 'low: isPassed(base, range) ? undefined : range.first',
    to: 'low: isPassed(base, range) ? undefined : base.sink',
    test: { file: lost, title: 'D2, D4: counts as holes what was to be mapped again' },
  },
  {
    rule: 'a reader asks no source that is known to have lost all',
    file: 'src/stages/stage/partition-reader.ts',
    from: '    if (lost !== undefined) return lost;\n',
    to: '',
    test: {
      file: 'test/integration/damaged-log.test.ts',
      title: 'D2, D4: when its source topic is lost and it is deleted, what is missing are holes',
    },
  },
  {
    rule: 'where a position lies is asked of the topic that it is of',
    file: 'src/adapters/kafka/partition-reads.ts',
    from: '      if ((await this.#directory.describe(topic))?.identity !== at.identity) throw new BrokerError(unknownTopicId);\n',
    to: '',
    test: {
      file: 'src/adapters/kafka/partition-reads.test.ts',
      title: 'D3: a position that a topic made anew does not hold says nothing of the one before',
    },
  },
  {
    rule: 'that all of the topic of a sink is passed, when its source is lost, is seen in the entry',
    file: 'src/stages/stage/standing.ts',
    from: 'return this.#passesRest ?',
    to: 'return (this.#passesRest, false) ?',
    test: { file: lost, title: 'D2: goes though nothing but repeats' },
  },
];
