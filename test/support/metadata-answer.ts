import type { WireWriter } from '../../src/adapters/kafka/wire.ts';

interface DescribedTopic {
  readonly topic: string;
  /** Of broker 1, the only one that is named. */
  readonly port: number;
  /** Leader by partition; -1: none. */
  readonly leaders: readonly number[];
  /** How often each leader has changed; default: never. */
  readonly epochs?: readonly number[];
}

/** Writes what a broker answers to a question for the metadata of one topic, version 12. */
export function answerMetadata(answer: WireWriter, { topic, port, leaders, epochs = [] }: DescribedTopic): void {
  answer.noTaggedFields().int32(0);
  answer.compactLength(1).int32(1).compactString('127.0.0.1').int32(port).compactString('').noTaggedFields();
  answer.compactString('cluster').int32(1);
  answer.compactLength(1).int16(0).compactString(topic).zeros(16).int8(0);
  answer.compactLength(leaders.length);
  for (const [partition, leader] of leaders.entries()) {
    answer
      .int16(0)
      .int32(partition)
      .int32(leader)
      .int32(epochs[partition] ?? 0);
    for (const _ of ['replicas', 'in sync', 'offline']) answer.compactLength(0);
    answer.noTaggedFields();
  }
  answer.int32(0).noTaggedFields().noTaggedFields();
}
