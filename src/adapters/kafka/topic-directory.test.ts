import { expect, it } from 'vitest';
import { startSmallBrokers } from '../../../test/support/small-broker.ts';
import { openKafkaEventLog } from './event-log.ts';

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
