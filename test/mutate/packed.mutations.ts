import type { Mutation } from './mutation.ts';

const records = 'src/stages/map/packed-records.test.ts';
const unpack = 'src/events/unpack-otlp.test.ts';
const standing = {
  file: 'src/stages/stage/standing.test.ts',
  title: 'D4, A53: of a record that holds several events it takes all lines and counts each event',
};
const seal = {
  file: 'src/core/progress/seal.test.ts',
  title: 'D4, A53: of a record that holds several events it counts each',
};

/** Records that hold several events. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'A53: each event of a record has an id of its own',
    file: 'src/mapping/mapped-event.ts',
    from: 'item === undefined ? [topic, partition, offset] : [topic, partition, offset, item]',
    to: '[topic, partition, offset]',
    test: { file: records, title: 'D3: gives each event an id of its own, the same each time' },
  },
  {
    rule: 'A53: an event of a record that is refused takes no other along',
    file: 'src/stages/map/batch-events.ts',
    from: "if (mapped.kind === 'filtered') continue;",
    to: "if (mapped.kind !== 'row') continue;",
    test: { file: records, title: 'D2: an event that the mapping refuses is a dead letter alone' },
  },
  {
    rule: 'A53: the rows of a record are no more than a record of the topic may have',
    file: 'src/stages/map/batch-events.ts',
    from: 'if (room < 0) return undefined;',
    to: '',
    test: { file: records, title: 'D8: is a dead letter whole when its rows are too much for one record of the topic' },
  },
  {
    rule: 'D8: templates of a record take no more steps than it has',
    file: 'src/mapping/compile-mapping.ts',
    from: 'record?.take(left - this.#rowSteps.left);',
    to: '',
    test: { file: records, title: 'D8: its templates have the steps of some rows together' },
  },
  {
    rule: 'A53: a record that came through ingest holds one event',
    file: 'src/stages/map/partition-decoding.ts',
    from: '(isIngested(record.headers) ? undefined : unpackOtlp(record))',
    to: 'unpackOtlp(record)',
    test: {
      file: 'src/stages/map/partition-decoding.test.ts',
      title: 'hold requests, unless they came through ingest',
    },
  },
  {
    rule: 'D8: a record holds no more events than a request may',
    file: 'src/events/unpack-otlp.ts',
    from: 'if (events.length === limits.otlpRecords)',
    to: 'if (events.length === 2 * limits.otlpRecords)',
    test: { file: unpack, title: 'D8: with more records than a request may have is refused' },
  },
  {
    rule: 'A53: the events of a record count each',
    file: 'src/stages/stage/open-slice.ts',
    from: 'this.counts.unpacked += rows + dead + filtered - 1;',
    to: 'this.counts.unpacked += rows + dead + filtered;',
    test: standing,
  },
  {
    rule: 'A53: a record without lines says nothing of the mapping of a slice',
    file: 'src/stages/stage/open-slice.ts',
    from: 'if (this.lineCount === before) return;',
    to: '',
    test: standing,
  },
  {
    rule: 'D4: the events beyond the first of a record are counted with what was passed',
    file: 'src/core/accounts/conservation.ts',
    from: 'const passed = counts.passed + unpacked;',
    to: 'const { passed } = counts;',
    test: seal,
  },
  {
    rule: 'D4: they are kept from one seal to the next',
    file: 'src/core/progress/seal.ts',
    from: '{ unpacked: (totals.unpacked ?? 0) + unpacked }',
    to: '{ unpacked }',
    test: seal,
  },
  {
    rule: 'U2: a release that counts a record as one event does not write where one was more',
    file: 'src/documents/progress-document.ts',
    from: ' || hasUnpacked(progress)',
    to: '',
    test: {
      file: 'src/documents/progress-document.test.ts',
      title: 'U2: a progress document has a later format once a record held several events',
    },
  },
  {
    rule: 'A53: nothing is mapped before it is known what kind of source it is of',
    file: 'src/stages/map/partition-mapper.ts',
    from: 'await awaitSource(this.#options, progress.key, options);',
    to: '',
    test: {
      file: 'src/stages/map/lacking-schemas.test.ts',
      title: 'A53: a partition asks for its source before it maps, should its sinks be there first',
    },
  },
];
