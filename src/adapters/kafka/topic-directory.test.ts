import { expect, it } from 'vitest';
import { startLaggingBrokers } from '../../../test/support/lagging-brokers.ts';
import { answerMetadata } from '../../../test/support/metadata-answer.ts';
import { startSmallBrokers, type SmallRequest } from '../../../test/support/small-broker.ts';
import { createKafka, KafkaConnections } from './client.ts';
import { openKafkaEventLog } from './event-log.ts';
import { TopicDirectory } from './topic-directory.ts';
import type { WireWriter } from './wire.ts';

const options = { signal: new AbortController().signal };

it('D9: a topic that the brokers do not show is not taken for one that does not exist', async () => {
  await using stack = new AsyncDisposableStack();
  const topicErrors = new Map([['secret', 29]]);
  const [broker] = (await startSmallBrokers(1, topicErrors)).map((one) => stack.use(one));
  const log = stack.use(openKafkaEventLog({ brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' }));
  const message: unknown = expect.stringContaining('TOPIC_AUTHORIZATION_FAILED');
  const refused = { code: 'log.unavailable', message };
  await expect(log.describeTopic('secret', options)).rejects.toMatchObject(refused);
  await expect(log.deleteTopic('secret', options)).rejects.toMatchObject(refused);
  const record = { value: new Uint8Array(1), headers: [], timestamp: 0 };
  const appended = log.append({ topic: 'secret', partition: 0 }, [record], options);
  await expect(appended).rejects.toMatchObject({ code: 'log.refused', message });
});

it.each([
  ['unknown', 3],
  ['invalid', 17],
])('a topic whose name is %s to the brokers does not exist', async (_what, code) => {
  await using stack = new AsyncDisposableStack();
  const [broker] = (await startSmallBrokers(1, new Map([['none', code]]))).map((one) => stack.use(one));
  const log = stack.use(openKafkaEventLog({ brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' }));
  expect(await log.describeTopic('none', options)).toBeUndefined();
});

it('D9: why a topic cannot be made is said', async () => {
  await using stack = new AsyncDisposableStack();
  const [broker] = (await startSmallBrokers(1)).map((one) => stack.use(one));
  const log = stack.use(openKafkaEventLog({ brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' }));
  const message: unknown = expect.stringMatching(/cannot create topic "orders": .*[Rr]eplication/);
  const making = log.createTopic({ name: 'orders', partitions: 1 }, options);
  await expect(making).rejects.toMatchObject({ code: 'log.unavailable', message });
});

it.each([1, 2, 3])(
  'D2: a leader that hung and goes on, and names itself, is not believed: broker %i',
  async (former) => {
    const [leads, metadata] = [(former % 3) + 1, 3];
    const answer = ({ id, apiKey, version }: SmallRequest) => {
      if (apiKey !== metadata || version !== 12) return undefined;
      const [leader, epoch] = id === former ? [former, 4] : [leads, 5];
      return (to: WireWriter): void =>
        answerMetadata(to, { topic: 'orders', port: 0, leaders: [leader], epochs: [epoch] });
    };
    await using stack = new AsyncDisposableStack();
    const small = (await startSmallBrokers(3, new Map(), answer)).map((one) => stack.use(one));
    const brokers = small.map(({ port }) => `127.0.0.1:${port}`);
    const connections = new KafkaConnections(createKafka({ brokers, clientId: 'test' }, 'test'));
    stack.defer(() => connections.close());
    const directory = new TopicDirectory(connections);
    for (let again = 0; again < 5; again += 1) {
      expect((await directory.describeFully('orders'))?.leaders).toEqual([leads]);
      expect((await directory.describe('orders'))?.leaders).toEqual([leads]);
    }
  },
);

it('the leader of a partition that one of the brokers knows of is found, though others do not know of it', async () => {
  await using stack = new AsyncDisposableStack();
  const lagging = (await startLaggingBrokers('orders', [1, 2, 1])).map((one) => stack.use(one));
  const brokers = lagging.map(({ port }) => `127.0.0.1:${port}`);
  const connections = new KafkaConnections(createKafka({ brokers, clientId: 'test' }, 'test'));
  stack.defer(() => connections.close());
  const directory = new TopicDirectory(connections);
  expect(await directory.leader({ topic: 'orders', partition: 0 })).toBe(1);
  expect(await directory.leader({ topic: 'orders', partition: 1 })).toBe(1);
  await expect(directory.leader({ topic: 'orders', partition: 2 })).rejects.toMatchObject({
    code: 'log.topicNotFound',
  });
});
