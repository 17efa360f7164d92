import { sendRaw, type FullBroker } from '../../src/adapters/kafka/broker.ts';
import { createKafka, KafkaConnections } from '../../src/adapters/kafka/client.ts';
import { WireReader, WireWriter } from '../../src/adapters/kafka/wire.ts';
import type { TopicPartition } from '../../src/core/offset.ts';
import { eventually } from './eventually.ts';

/** Node ids; -1 is no leader. */
export interface PartitionState {
  readonly partition: number;
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly inSync: readonly number[];
}

export interface KafkaLeaders extends AsyncDisposable {
  partitions(topic: string): Promise<readonly PartitionState[]>;
  moveLeader(at: TopicPartition, id: number): Promise<void>;
}

/** Sees and moves the leaders of partitions, as long as one broker answers. */
export function openKafkaLeaders(brokers: readonly string[]): KafkaLeaders {
  const connections = new KafkaConnections(createKafka({ brokers, clientId: 'test-leaders' }, 'test-leaders'));
  const partitions = (topic: string): Promise<readonly PartitionState[]> =>
    connections.onAnyBroker((broker) => describe(broker, topic));
  return {
    partitions,
    moveLeader: async (at, id) => {
      await eventually(
        async () => {
          const state = (await partitions(at.topic)).find(({ partition }) => partition === at.partition);
          if (state?.leader === id) return;
          if (state?.inSync.includes(id) !== true) throw new Error(`broker ${id} cannot lead ${JSON.stringify(state)}`);
          const first = [id, ...state.replicas.filter((replica) => replica !== id)];
          await connections.onAnyBroker((broker) => order(broker, at, first));
          await connections.onAnyBroker((broker) => electPreferred(broker, at));
          throw new Error(`broker ${id} does not lead partition ${at.partition} of ${at.topic} yet`);
        },
        { everyMs: 50 },
      );
    },
    [Symbol.asyncDispose]: () => connections.close(),
  };
}

/** Metadata, version 1. */
function describe(broker: FullBroker, topic: string): Promise<readonly PartitionState[]> {
  const bytes = new WireWriter().int32(1).string(topic).bytes();
  const read = (answer: Buffer): readonly PartitionState[] => {
    const reader = new WireReader(answer);
    reader.array((node) => {
      node.int32();
      node.string();
      node.int32();
      node.string();
    });
    reader.int32(); // controller
    const [found] = reader.array((of) => {
      of.int16();
      of.string();
      of.int8(); // internal
      return of.array(readPartition);
    });
    return (found ?? []).toSorted((a, b) => a.partition - b.partition);
  };
  return sendRaw(broker, { apiKey: 3, apiVersion: 1, apiName: 'Metadata', bytes, read });
}

function readPartition(reader: WireReader): PartitionState {
  reader.int16(); // error: there is no leader
  const [partition, leader] = [reader.int32(), reader.int32()];
  const [replicas, inSync] = [reader.array((node) => node.int32()), reader.array((node) => node.int32())];
  return { partition, leader, replicas, inSync };
}

/** The same replicas in another order, of which the first is preferred (AlterPartitionReassignments, version 0). */
function order(broker: FullBroker, { topic, partition }: TopicPartition, replicas: readonly number[]): Promise<void> {
  const request = new WireWriter().noTaggedFields().int32(10_000);
  request.compactLength(1).compactString(topic).compactLength(1).int32(partition).compactLength(replicas.length);
  for (const replica of replicas) request.int32(replica);
  const bytes = request.noTaggedFields().noTaggedFields().noTaggedFields().bytes();
  const apiName = 'AlterPartitionReassignments';
  return sendRaw(broker, { apiKey: 45, apiVersion: 0, apiName, bytes, read: () => undefined });
}

/** ElectLeaders, version 1. What it refuses shows in who leads. */
function electPreferred(broker: FullBroker, { topic, partition }: TopicPartition): Promise<void> {
  const preferred = 0;
  const bytes = new WireWriter().int8(preferred).int32(1).string(topic).int32(1).int32(partition).int32(10_000).bytes();
  return sendRaw(broker, { apiKey: 43, apiVersion: 1, apiName: 'ElectLeaders', bytes, read: () => undefined });
}
