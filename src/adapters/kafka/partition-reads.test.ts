import { expect, it } from 'vitest';
import { startLaggingBrokers } from '../../../test/support/lagging-brokers.ts';
import { createKafka, KafkaConnections } from './client.ts';
import { DriverSockets } from './driver-sockets.ts';
import { PartitionReads } from './partition-reads.ts';
import { TopicDirectory } from './topic-directory.ts';

it('D3: a position that a topic made anew does not hold says nothing of the one before: its log is not behind', async () => {
  await using stack = new AsyncDisposableStack();
  const [broker] = (await startLaggingBrokers('orders', [1])).map((one) => stack.use(one));
  const sockets = new DriverSockets();
  const options = { brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' };
  const connections = new KafkaConnections(createKafka(options, 'test', sockets));
  stack.defer(() => sockets.endAfter(connections.close()));
  const directory = new TopicDirectory(connections);
  const reads = new PartitionReads(connections, directory);
  const { identity } = await directory.topic('orders');
  const at = { topic: 'orders', partition: 0, offset: 5 };
  expect(await reads.outside({ ...at, identity })).toMatchObject({
    batch: { failure: { code: 'progress.logBehind' } },
  });
  const another = '00000000-0000-0000-0000-000000000001';
  expect(await reads.outside({ ...at, identity: another })).toMatchObject({ kind: 'failed', isPassing: true });
});
