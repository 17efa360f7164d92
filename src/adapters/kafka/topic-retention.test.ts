import { expect, it } from 'vitest';
import { BrokerError } from './error-codes.ts';
import { TopicRetention } from './topic-retention.ts';

function of(settings: Readonly<Record<string, string>>) {
  return new TopicRetention(async () => new Map(Object.entries(settings))).of('orders');
}

it('tells the age and the bytes that a topic is bound by; -1 is no limit', async () => {
  expect(await of({ 'retention.ms': '604800000', 'retention.bytes': '-1' })).toEqual({ maxAgeMs: 604_800_000 });
  expect(await of({ 'retention.ms': '-1', 'retention.bytes': '1000' })).toEqual({ maxBytes: 1000 });
  expect(await of({ 'retention.ms': '5', 'retention.bytes': '7' })).toEqual({ maxAgeMs: 5, maxBytes: 7 });
  expect(await of({ 'retention.ms': '-1', 'retention.bytes': '-1' })).toBeUndefined();
  expect(await of({})).toBeUndefined();
});

it('a topic that is compacted only loses nothing of its age', async () => {
  expect(await of({ 'cleanup.policy': 'compact', 'retention.ms': '5' })).toBeUndefined();
  expect(await of({ 'cleanup.policy': 'compact,delete', 'retention.ms': '5' })).toEqual({ maxAgeMs: 5 });
});

it('asks once a minute, and a refusal is an answer; a broker that is away is asked again', async () => {
  let [now, asked] = [0, 0];
  let failure: Error | undefined = new BrokerError(29);
  const settings = async () => {
    asked += 1;
    if (failure !== undefined) throw failure;
    return new Map([['retention.ms', '5']]);
  };
  const retention = new TopicRetention(settings, () => now);
  expect(await retention.of('orders')).toBeUndefined();
  expect(await retention.of('orders')).toBeUndefined();
  expect(asked).toBe(1);
  now = 60_000;
  failure = new BrokerError(8);
  await expect(retention.of('orders')).rejects.toBe(failure);
  failure = undefined;
  expect(await retention.of('orders')).toEqual({ maxAgeMs: 5 });
  expect(await retention.of('orders')).toEqual({ maxAgeMs: 5 });
  expect(asked).toBe(3);
});
