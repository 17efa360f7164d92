import type { Mutation } from './mutation.ts';

const kafka = 'src/adapters/kafka';
const batches = `${kafka}/record-batch.prop.test.ts`;
const onBrokers = `${kafka}/compression.kafka.test.ts`;

/** Batches of Kafka that are compressed, by whomever. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'what is larger than a limit is not compressed below it',
    file: `${kafka}/record-batch.ts`,
    from: ' || plain.length > upToBytes ?',
    to: ' ?',
    test: { file: batches, title: 'D8: is as it is where it is larger than what may be compressed' },
  },
  {
    rule: 'the limit of an append holds for its bytes, not for those that travel',
    file: `${kafka}/event-log.ts`,
    from: 'upToBytes: Math.min(maxBatchBytes, largest + batchOverheadBytes)',
    to: 'upToBytes: maxBatchBytes + 0 * largest * batchOverheadBytes',
    test: { file: onBrokers, title: 'D8: the limit of an append is one of its bytes' },
  },
  {
    rule: 'a fetch ends when what it decompresses fills the memory that is meant for it',
    file: `${kafka}/record-batch.ts`,
    from: ' && decompressed < decompressedBytes;',
    to: ';',
    test: { file: batches, title: 'D8: of many that become far more than they are' },
  },
  {
    rule: 'what does not become smaller goes as it is',
    file: `${kafka}/codecs.ts`,
    from: 'smaller.length < bytes.length\n',
    to: "compression !== 'none'\n",
    test: { file: batches, title: 'is smaller, and as it is where that makes it no smaller' },
  },
  {
    rule: 'a topic keeps the codec that was chosen',
    file: `${kafka}/topic-admin.ts`,
    from: "    if (this.#compression !== 'none') configEntries.push({ name: 'compression.type', value: 'producer' });\n",
    to: '',
    test: { file: onBrokers, title: 'topics that are made keep the codec that was asked for' },
  },
  {
    rule: "the brokers' own way is left alone when no codec was chosen",
    file: `${kafka}/topic-admin.ts`,
    from: "    if (this.#compression !== 'none') configEntries",
    to: '    configEntries',
    test: { file: onBrokers, title: 'topics that are made keep the codec that was asked for' },
  },
];
