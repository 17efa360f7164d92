import { WireReader } from '../../src/adapters/kafka/wire.ts';
import type { WireWriter } from '../../src/adapters/kafka/wire.ts';
import { answerMetadata } from './metadata-answer.ts';
import { startSmallBrokers, type SmallAnswer, type SmallRequest } from './small-broker.ts';

/** What becomes of a produce request: it is stored, and the answer may get lost; or it is refused with one of Kafka's error codes. */
export type ProduceFate = 'store' | 'store and say nothing' | 'store and cut' | { readonly refuse: number };

/** What a produce request of one batch says. */
export interface Produced {
  readonly acks: number;
  readonly producerId: bigint;
  readonly sequence: number;
  readonly records: number;
  readonly bytes: Buffer;
}

/** A broker with one topic of one partition that knows idempotent producers, as the real one does, and whose answers a test decides. */
export interface StoringBroker extends AsyncDisposable {
  readonly brokers: readonly string[];
  /** Every produce request that has come, whatever became of it. */
  readonly requests: readonly Produced[];
  /** Those that were stored, without repeats. */
  readonly stored: readonly Produced[];
  /** Decides about each request; everything is stored at first. */
  fateOf: (request: Produced) => ProduceFate;
  /** False: the partition has no leader. */
  hasLeader: boolean;
  /** False: it was deleted. */
  hasTopic: boolean;
  /** How often the leader was asked for. */
  readonly leaderQuestions: number;
}

const [produce, metadata, initProducerId] = [0, 3, 22];

export async function startStoringBroker(topic: string): Promise<StoringBroker> {
  const requests: Produced[] = [];
  const stored: Produced[] = [];
  const state: Pick<StoringBroker, 'fateOf' | 'hasLeader' | 'hasTopic'> & { leaderQuestions: number } = {
    fateOf: () => 'store',
    hasLeader: true,
    hasTopic: true,
    leaderQuestions: 0,
  };
  const port = { own: 0 };
  let producers = 0n;
  const answer = ({ apiKey, version, body }: SmallRequest): SmallAnswer => {
    if (apiKey === initProducerId)
      return (to) =>
        void to
          .int32(0)
          .int16(0)
          .bigint64((producers += 1n))
          .int16(0);
    if (apiKey === metadata && version === 12) {
      state.leaderQuestions += 1;
      if (!state.hasTopic) return undefined;
      return (to) => answerMetadata(to, { topic, port: port.own, leaders: [state.hasLeader ? 1 : -1] });
    }
    if (apiKey !== produce) return undefined;
    const request = readProduce(body);
    requests.push(request);
    const fate = state.fateOf(request);
    if (typeof fate === 'object') return (to) => answerProduce(to, topic, { error: fate.refuse, offset: -1 });
    const { error, offset } = store(stored, request);
    if (fate === 'store') return (to) => answerProduce(to, topic, { error, offset });
    return fate === 'store and cut' ? 'cut' : 'silent';
  };
  const [broker] = await startSmallBrokers(1, new Map(), answer);
  if (broker === undefined) throw new Error('no broker was started');
  port.own = broker.port;
  return Object.assign(state, {
    brokers: [`127.0.0.1:${broker.port}`],
    requests,
    stored,
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  });
}

interface Outcome {
  readonly error: number;
  readonly offset: number;
}

/** A batch of the same producer and sequence number as one that is there is a repeat: its offset is told, and nothing is stored. */
function store(stored: Produced[], request: Produced): Outcome {
  const [outOfOrder] = [45];
  const own = stored.filter(({ producerId }) => producerId === request.producerId);
  const repeated = own.find(({ sequence }) => sequence === request.sequence);
  if (repeated !== undefined) return { error: 0, offset: offsetOf(stored, repeated) };
  if (request.sequence !== own.reduce((sum, { records }) => sum + records, 0)) return { error: outOfOrder, offset: -1 };
  stored.push(request);
  return { error: 0, offset: offsetOf(stored, request) };
}

function offsetOf(stored: readonly Produced[], one: Produced): number {
  return stored.slice(0, stored.indexOf(one)).reduce((sum, { records }) => sum + records, 0);
}

/** Produce, version 9, with one topic and one partition. */
function readProduce(body: WireReader): Produced {
  body.skipTaggedFields();
  body.compactString(); // transaction
  const acks = body.int16();
  body.int32(); // time-out
  const [[bytes] = []] = body.compactArray((topic) => {
    topic.compactString();
    const batches = topic.compactArray((of) => {
      of.int32(); // partition
      const batch = Buffer.from(of.compactArray((byte) => byte.int8()));
      of.skipTaggedFields();
      return batch;
    });
    topic.skipTaggedFields();
    return batches;
  });
  if (bytes === undefined) throw new Error('a produce request without a batch');
  const batch = new WireReader(bytes);
  const beforeProducer = 43;
  batch.take(beforeProducer);
  const producerId = batch.bigint64();
  batch.int16(); // epoch
  return { acks, producerId, sequence: batch.int32(), records: batch.int32(), bytes };
}

function answerProduce(answer: WireWriter, topic: string, { error, offset }: Outcome): void {
  answer.noTaggedFields().compactLength(1).compactString(topic).compactLength(1);
  answer.int32(0).int16(error).int64(offset).int64(-1).int64(0);
  answer.compactLength(0).compactLength(undefined).noTaggedFields();
  answer.noTaggedFields().int32(0).noTaggedFields();
}
