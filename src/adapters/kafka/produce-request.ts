import type { Offset, TopicPartition } from '../../core/offset.ts';
import { partitionKey } from '../../ports/event-log.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { produceTimeoutMs } from './config.ts';
import { BrokerError } from './error-codes.ts';
import { WireReader, WireWriter } from './wire.ts';

/** One encoded batch for one partition. */
export interface ProducedBatch {
  readonly at: TopicPartition;
  readonly bytes: Buffer;
}

export type ProduceAnswer =
  { readonly kind: 'stored'; readonly offset: Offset } | { readonly kind: 'refused'; readonly error: BrokerError };

const apiVersion = 8;
const allInSync = -1;

/** Writes one batch to each of the partitions, of which the broker is the leader; an answer for each by its key. */
export function produceBatches(
  broker: FullBroker,
  batches: readonly ProducedBatch[],
): Promise<ReadonlyMap<string, ProduceAnswer>> {
  const topics = Map.groupBy(batches, ({ at }) => at.topic);
  const noTransaction = undefined;
  const size = batches.reduce((sum, { at, bytes }) => sum + bytes.length + at.topic.length + 16, 64);
  const request = new WireWriter(size);
  request.string(noTransaction).int16(allInSync).int32(produceTimeoutMs).int32(topics.size);
  for (const [topic, own] of topics) {
    request.string(topic).int32(own.length);
    for (const { at, bytes } of own) request.int32(at.partition).int32(bytes.length).raw(bytes);
  }
  return sendRaw(broker, { apiKey: 0, apiVersion, apiName: 'Produce', bytes: request.bytes(), read: readAnswers });
}

function readAnswers(bytes: Buffer): ReadonlyMap<string, ProduceAnswer> {
  const answers = new Map<string, ProduceAnswer>();
  new WireReader(bytes).array((reader) => {
    const topic = reader.string();
    reader.array((of) => {
      const partition = of.int32();
      const error = of.int16();
      const offset = of.int64();
      of.int64(); // append time
      of.int64(); // first offset
      const reasons = of.array((record) => {
        record.int32(); // index in the batch
        return record.string();
      });
      const message = [of.string(), ...reasons].filter((text) => text !== '').join('; ');
      const answer: ProduceAnswer =
        error === 0 ? { kind: 'stored', offset } : { kind: 'refused', error: new BrokerError(error, message) };
      answers.set(partitionKey({ topic, partition }), answer);
    });
  });
  return answers;
}
