import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
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
