import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startLaggingBrokers } from '../../../test/support/lagging-brokers.ts';
import { openKafkaEventLog } from './event-log.ts';

const waiting = { signal: new AbortController().signal };

describe('the Kafka log without a broker', () => {
  it.each([
    ['event-log.ts', 'openKafkaEventLog'],
    ['check-kafka.ts', 'checkKafka'],
  ])('%s loads in plain Node, which finds fewer names in a CommonJS driver than the test runner does', (file, name) => {
    const url = new URL(`./${file}`, import.meta.url).href;
    const script = `const { ${name} } = await import(${JSON.stringify(url)}); console.log(typeof ${name});`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(output.trim()).toBe('function');
  });

  it('rejects with the reason of the signal while it looks for brokers, and closes', async () => {
    const log = openKafkaEventLog({ brokers: ['127.0.0.1:1'], clientId: 'millrace-test' });
    const stop = new AbortController();
    const described = log.describeTopic('orders', { signal: stop.signal });
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(described).rejects.toBe(reason);
    await log[Symbol.asyncDispose]();
    await expect(log.ranges('orders', waiting)).rejects.toMatchObject({ code: 'log.closed' });
  });
});

describe('the Kafka log on brokers that do not know the same', { timeout: 45_000 }, () => {
  const ends = { first: 0, stableEnd: 0, durableEnd: 0 };

  it('D2: tells the ends of all partitions that any broker knows of, whichever is asked first', async () => {
    for (const known of [
      [1, 3, 1],
      [3, 1, 1],
      [1, 1, 3],
    ]) {
      await using stack = new AsyncDisposableStack();
      const lagging = (await startLaggingBrokers('orders', known)).map((one) => stack.use(one));
      const brokers = lagging.map(({ port }) => `127.0.0.1:${port}`);
      const log = stack.use(openKafkaEventLog({ brokers, clientId: 'millrace-test' }));
      for (let again = 0; again < 3; again += 1)
        expect(await log.ranges('orders', waiting)).toMatchObject([ends, ends, ends]);
    }
  });

  it('D6: tells the ends of a partition while another one has no leader', async () => {
    await using stack = new AsyncDisposableStack();
    const brokers = (await startLaggingBrokers('orders', [3], [1])).map((one) => stack.use(one));
    const log = stack.use(openKafkaEventLog({ brokers: [`127.0.0.1:${brokers[0]?.port}`], clientId: 'millrace-test' }));
    expect(await log.range({ topic: 'orders', partition: 0 }, waiting)).toEqual(ends);
    expect(await log.range({ topic: 'orders', partition: 2 }, waiting)).toEqual(ends);
    await expect(log.range({ topic: 'orders', partition: 3 }, waiting)).rejects.toMatchObject({
      code: 'log.topicNotFound',
    });
  });

  it('D8: does not wait for one that hangs, nor for one that is gone', async () => {
    await using stack = new AsyncDisposableStack();
    const [first, hanging, gone] = await startLaggingBrokers('orders', [2, 3, 3]);
    stack.use(first);
    stack.use(hanging);
    const options = { brokers: [`127.0.0.1:${first?.port}`], clientId: 'millrace-test', requestTimeoutMs: 60_000 };
    const log = stack.use(openKafkaEventLog(options));
    expect(await log.ranges('orders', waiting)).toHaveLength(3);
    hanging?.hang();
    await gone?.[Symbol.asyncDispose]();
    expect(await log.ranges('orders', waiting)).toHaveLength(3);
  });
});
