import type { Mutation } from './mutation.ts';

const cut = 'src/core/progress/cut.test.ts';
const mapper = 'src/stages/map/partition-mapper.test.ts';
const seal = 'src/core/progress/seal.test.ts';

/** Sources that lose their end and give its offsets to other events. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'what was read at the end of an epoch has gone',
    file: 'src/core/progress/cut.ts',
    from: 'found.end <= place.position',
    to: 'found.end < place.position',
    test: { file: cut, title: 'D2, D3: has gone where its epoch ends at or before it' },
  },
  {
    rule: 'a log that has nothing of an epoch has nothing that was read in it',
    file: 'src/core/progress/cut.ts',
    from: 'found.epoch < place.epoch || ',
    to: '',
    test: { file: cut, title: 'D2, D3: has gone where the log has nothing of its epoch' },
  },
  {
    rule: 'a sink of a source that was cut is not disabled: its end would be one of other events',
    file: 'src/core/progress/switch.ts',
    from: '    if (!deleted) requireUncut(progress, partition, entry);\n',
    to: '',
    test: { file: cut, title: 'D2, D3: its sinks are neither disabled nor enabled, however far it has grown' },
  },
  {
    rule: 'a deleted sink of a source that was cut ends behind its outcomes',
    file: 'src/core/progress/switch.ts',
    from: 'return entry.cut === undefined && end >= knownEnd(entry);',
    to: 'return end >= knownEnd(entry);',
    test: { file: cut, title: 'D2: a deleted sink ends behind what it has outcomes for' },
  },
  {
    rule: 'a position that was read in no epoch has none',
    file: 'src/core/progress/seal.ts',
    from: '{ epoch: _, ...base }: PartitionEntry',
    to: 'base: PartitionEntry',
    test: { file: seal, title: 'D2: the epoch is that of the position' },
  },
  {
    rule: 'a seal does not forget that the source was cut',
    file: 'src/core/progress/sink-progress.ts',
    from: '    a.cut === b.cut &&\n',
    to: '',
    test: { file: seal, title: 'D2: it is refused when the source was found cut meanwhile' },
  },
  {
    rule: 'a reader has the epoch of what it has taken, not of a repeat',
    file: 'src/stages/stage/standing.ts',
    from: 'if (this.#source !== before) {\n        this.#epoch',
    to: '{\n        this.#epoch',
    test: {
      file: 'src/stages/stage/standing.test.ts',
      title: 'D2: is that of the last outcome it has taken, which a repeat is not',
    },
  },
  {
    rule: 'a repeat of a later epoch than the position is of other events',
    file: 'src/stages/stage/standing.ts',
    from: '(outcomeEpoch(record.headers) ?? 0) > this.#epoch',
    to: 'this.#epoch < 0',
    test: {
      file: 'src/stages/stage/standing.test.ts',
      title: 'D2, D3: is of other events: the source has lost those that were taken',
    },
  },
  {
    rule: 'a run of a later epoch that begins before the position is of other events',
    file: 'src/stages/stage/standing.ts',
    from: 'if (from >= this.#source ||',
    to: 'if (this.#header.to > this.#source ||',
    test: { file: 'src/stages/stage/standing.test.ts', title: 'D2, D3: is of other events, too, where it ends behind' },
  },
  {
    rule: 'offsets without an event say nothing of the epoch of others',
    file: 'src/stages/stage/standing.ts',
    from: " && kind !== 'none'",
    to: '',
    test: { file: 'src/stages/stage/standing.test.ts', title: 'says nothing when there is no event' },
  },
  {
    rule: 'a reader that meets other events at its offsets notes the cut',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'return this.#write((progress) => noteCut(progress, { partition, cut }), options);',
    to: 'return this.#write((progress) => (cut < 0 ? noteCut(progress, { partition, cut }) : { ...progress }), options);',
    test: {
      file: 'src/stages/stage/partition-reader.test.ts',
      title: 'D2, D3: outcomes of other events at offsets that it has taken are noted',
    },
  },
  {
    rule: 'events of another epoch are compared before they are mapped',
    file: 'src/stages/map/partition-mapper.ts',
    from: '    this.#compareEpochs(from, batch);\n',
    to: '',
    test: { file: mapper, title: 'D2, D3: events of another epoch stop a sink whose events the log has lost' },
  },
  {
    rule: 'an epoch that was compared is not compared again',
    file: 'src/stages/map/sink-cursor.ts',
    from: ' && epoch !== this.agreedEpoch',
    to: '',
    test: { file: mapper, title: 'D2, D3: events of another epoch are mapped once it is known' },
  },
  {
    rule: 'a mapper that resumes a sink compares the epoch of its position',
    file: 'src/stages/map/resume.ts',
    from: '    await checkHeld(',
    to: '    void (',
    test: {
      file: mapper,
      title: 'D2, D3: a mapper that takes over stops a sink whose events the log has lost before it',
    },
  },
  {
    rule: 'a cut is written down, whatever the log says later',
    file: 'src/stages/map/check-held.ts',
    from: 'transition: (current) => noteCut(current, { partition, cut }),',
    to: 'transition: (current) => noteCut({ ...current, entries: {} }, { partition: partition + 1, cut }),',
    test: { file: mapper, title: 'D2, D3: events of another epoch stop a sink whose events the log has lost' },
  },
  {
    rule: 'nothing more is mapped of a source that was cut',
    file: 'src/stages/map/resume.ts',
    from: '  requireUncut(progress, partition, entry);\n',
    to: '',
    test: { file: mapper, title: 'D2, D3: events of another epoch stop a sink whose events the log has lost' },
  },
  {
    rule: 'a deleted sink gives up what it wants of a source that was cut',
    file: 'src/stages/import/lost-topics.ts',
    from: 'base.cut !== undefined || ',
    to: '',
    test: { file: 'test/integration/lost-topics.test.ts', title: 'D2, D4: goes when the source was cut' },
  },
  {
    rule: 'a batch of Kafka is of one epoch',
    file: 'src/adapters/kafka/partition-reads.ts',
    from: 'return end === -1 ? batches : batches.slice(0, end);',
    to: 'return end < -1 ? [] : batches;',
    test: {
      file: 'src/adapters/kafka/three-brokers.kafka.test.ts',
      title: 'D2: events of two leaders come in batches of their own',
    },
  },
];
