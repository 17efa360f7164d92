import type { Mutation } from './mutation.ts';

/** What makes the roles of a cluster cheaper, and must change nothing else. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'headers that are as long as those before are not those before',
    file: 'src/adapters/kafka/wire.ts',
    from: ' if (this.#bytes[from + at] !== this.#bytes[other.from + at]) return false;',
    to: ' if (at > length) return false;',
    test: { file: 'src/adapters/kafka/record-batch.prop.test.ts', title: 'headers that are alike in length only' },
  },
  {
    rule: 'a round that takes all that Kafka gives of a partition does not wait for more',
    file: 'src/runtime/composition/map-round.ts',
    from: 'fewBytes: 256 * 1024',
    to: 'fewBytes: 1024 * 1024',
    test: { file: 'src/runtime/composition/map-round.test.ts', title: 'a round that takes all that Kafka gives' },
  },
  {
    rule: 'lines that are compressed in memory are those that were taken',
    file: 'src/stages/stage/part-writer.ts',
    from: '    requireSame(known, { bytes: lines.length, crc: crc32(lines) });\n',
    to: "    if (known.bytes < 0) return { kind: 'bytes', bytes: lines };\n",
    test: {
      file: 'src/stages/stage/part-writer.test.ts',
      title: 'D2: a local file that is altered before it is compressed is found out',
    },
  },
  {
    rule: 'an import that ends early leaves no object open',
    file: 'src/adapters/opened-ahead.ts',
    from: '(one) => one.destroy(),',
    to: '(one) => one.pause(),',
    test: { file: 'src/adapters/opened-ahead.test.ts', title: 'D8: whoever ends early leaves nothing open' },
  },
];
