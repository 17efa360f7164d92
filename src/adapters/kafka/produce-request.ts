import type { Offset } from '../../core/offset.ts';
import { identifiedKey, type IdentifiedPartition } from '../../ports/event-log.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { produceTimeoutMs } from './config.ts';
import { BrokerError } from './error-codes.ts';
import { WireReader, WireWriter } from './wire.ts';

/** One encoded batch for one partition; a request has one of each at most, by name, too. */
export interface ProducedBatch {
  readonly at: IdentifiedPartition;
  readonly bytes: Buffer;
}

export type ProduceAnswer =
  { readonly kind: 'stored'; readonly offset: Offset } | { readonly kind: 'refused'; readonly error: BrokerError };

/**
 * How a request calls the topics: a name means whichever existence the topic has, an id means one of them. Kafka takes
 * ids since 4.1.
 */
export type TopicNaming = 'name' | 'id';

const apiKey = 0;
const apiName = 'Produce';
const [versionWithNames, versionWithIds] = [9, 13];
const allInSync = -1;

/** Whether the broker takes ids. */
export async function topicNaming(broker: FullBroker): Promise<TopicNaming> {
  const known = (await broker.apiVersions())[apiKey];
  return known !== undefined && known.maxVersion >= versionWithIds ? 'id' : 'name';
}

/** Writes one batch to each of the partitions, all of which the broker leads; gives an answer for each by its key. */
export function produceBatches(
  broker: FullBroker,
  batches: readonly ProducedBatch[],
  naming: TopicNaming,
): Promise<ReadonlyMap<string, ProduceAnswer>> {
  const nameOf = ({ topic, identity }: IdentifiedPartition): string => (naming === 'id' ? identity : topic);
  const topics = Map.groupBy(batches, ({ at }) => nameOf(at));
  const noTransaction = undefined;
  const size = batches.reduce((sum, { at, bytes }) => sum + bytes.length + at.topic.length + 32, 64);
  const request = new WireWriter(size).noTaggedFields();
  request.compactLength(noTransaction).int16(allInSync).int32(produceTimeoutMs).compactLength(topics.size);
  for (const [topic, own] of topics) {
    if (naming === 'id') request.uuid(topic);
    else request.compactString(topic);
    request.compactLength(own.length);
    for (const { at, bytes } of own)
      request.int32(at.partition).compactLength(bytes.length).raw(bytes).noTaggedFields();
    request.noTaggedFields();
  }
  const asked = new Map(batches.map(({ at }) => [`${nameOf(at)}/${at.partition}`, at]));
  const read = (answer: Buffer) => readAnswers(answer, naming, asked);
  const apiVersion = naming === 'id' ? versionWithIds : versionWithNames;
  return sendRaw(broker, { apiKey, apiVersion, apiName, bytes: request.noTaggedFields().bytes(), read });
}

function readAnswers(
  bytes: Buffer,
  naming: TopicNaming,
  asked: ReadonlyMap<string, IdentifiedPartition>,
): ReadonlyMap<string, ProduceAnswer> {
  const answers = new Map<string, ProduceAnswer>();
  const response = new WireReader(bytes);
  response.skipTaggedFields();
  response.compactArray((reader) => {
    const topic = naming === 'id' ? reader.uuid() : reader.compactString();
    reader.compactArray((of) => {
      const at = asked.get(`${topic}/${of.int32()}`);
      const answer = readAnswer(of);
      if (at !== undefined) answers.set(identifiedKey(at), answer);
    });
    reader.skipTaggedFields();
  });
  return answers;
}

function readAnswer(reader: WireReader): ProduceAnswer {
  const error = reader.int16();
  const offset = reader.int64();
  reader.int64(); // append time
  reader.int64(); // first offset
  const reasons = reader.compactArray((record) => {
    record.int32(); // index in the batch
    const reason = record.compactString();
    record.skipTaggedFields();
    return reason;
  });
  const message = [reader.compactString(), ...reasons].filter((text) => text !== '').join('; ');
  reader.skipTaggedFields();
  return error === 0 ? { kind: 'stored', offset } : { kind: 'refused', error: new BrokerError(error, message) };
}
