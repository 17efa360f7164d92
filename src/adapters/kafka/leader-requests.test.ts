import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerMetadata } from '../../../test/support/metadata-answer.ts';
import { startSmallBrokers, type SmallAnswer, type SmallRequest } from '../../../test/support/small-broker.ts';
import { startStoringBroker, type StoringBroker } from '../../../test/support/storing-broker.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import type { IdentifiedPartition } from '../../ports/event-log.ts';
import { createKafka, KafkaConnections } from './client.ts';
import { lateAppendMs } from './config.ts';
import { DriverSockets } from './driver-sockets.ts';
import { LeaderRequests, type SendTurn } from './leader-requests.ts';
import { encodeBatch } from './record-batch.ts';
import { TopicDirectory } from './topic-directory.ts';

const topic = 'orders';
let stack: AsyncDisposableStack;

beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

function connect(brokers: readonly string[]): KafkaConnections {
  const sockets = new DriverSockets();
  const connections = new KafkaConnections(createKafka({ brokers, clientId: 'test' }, 'test', sockets));
  stack.defer(() => sockets.endAfter(connections.close()));
  return connections;
}

async function partitionOf(directory: TopicDirectory): Promise<IdentifiedPartition> {
  return { topic, partition: 0, identity: (await directory.topic(topic)).identity };
}

/** One record, which somebody waits for. */
function turnOf(at: IdentifiedPartition, sequence: number): SendTurn {
  const record = { value: Buffer.from('x'), headers: [], timestamp: 0 };
  return { at, isWanted: () => true, next: () => encodeBatch([record], { id: 1n, epoch: 0, sequence }) };
}

describe('requests to a leader', () => {
  let broker: StoringBroker;
  let connections: KafkaConnections;
  let directory: TopicDirectory;
  let at: IdentifiedPartition;

  beforeEach(async () => {
    broker = stack.use(await startStoringBroker(topic));
    connections = connect(broker.brokers);
    directory = new TopicDirectory(connections);
    at = await partitionOf(directory);
  });

  it('D3: have a partition once, because a leader refuses one that is named twice', async () => {
    const requests = new LeaderRequests(connections, directory);
    const answers = [requests.send(turnOf(at, 0)), requests.send(turnOf(at, 1))];
    expect(await Promise.all(answers)).toMatchObject([{ offset: 0 }, { offset: 1 }]);
    expect(broker.requests).toHaveLength(2);
  });

  it('D1, D3: are not made any more once they were given up, though their connection comes at last', async () => {
    const connected = Promise.withResolvers<void>();
    const slow = withMethod(connections, 'broker', async (id: number) => {
      await connected.promise;
      return connections.broker(id);
    });
    const requests = new LeaderRequests(slow, directory);
    await expect(requests.send({ ...turnOf(at, 0), isWanted: () => false })).rejects.toThrow('is silent');
    connected.resolve();
    expect(await requests.send(turnOf(at, 0))).toMatchObject({ kind: 'stored', offset: 0 });
    expect(broker.requests).toHaveLength(1);
  });
});

it('D8: one to a leader that says nothing ends when others say that it leads no more', async () => {
  const produced: number[] = [];
  const answer = ({ id, apiKey, version }: SmallRequest): SmallAnswer => {
    const leader = produced.length === 0 ? 1 : 2;
    if (apiKey === 3 && version === 12) return (to) => answerMetadata(to, { topic, port: 0, leaders: [leader] });
    if (apiKey !== 0) return undefined;
    produced.push(id);
    return 'silent';
  };
  const brokers = (await startSmallBrokers(2, new Map(), answer)).map((one) => stack.use(one));
  const connections = connect(brokers.map(({ port }) => `127.0.0.1:${port}`));
  const directory = new TopicDirectory(connections);
  const sent = new LeaderRequests(connections, directory).send(turnOf(await partitionOf(directory), 0));
  const ended = sent.catch(() => 'left');
  expect(await Promise.race([ended, sleep(10 * lateAppendMs, 'waited for', { ref: false })])).toBe('left');
  expect(produced).toEqual([1]);
});
