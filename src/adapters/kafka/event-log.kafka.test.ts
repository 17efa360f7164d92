import { afterAll, beforeAll, describe, it } from 'vitest';
import { eventLogContract } from '../../../test/contract/event-log.contract.ts';
import { openKafkaForTests, whereIsKafka, type KafkaForTests } from '../../../test/support/kafka.ts';
import { openKafkaEventLog } from './event-log.ts';

const place = await whereIsKafka();
if (place.kind === 'nowhere') process.stdout.write(`skipped: ${place.reason}\n`);

describe('Kafka in CI', () => {
  it('is there, so that its suite runs', ({ skip }) => {
    if (place.kind !== 'nowhere') return;
    if (process.env['CI'] === 'true') throw new Error(place.reason);
    skip(place.reason);
  });
});

describe.skipIf(place.kind === 'nowhere')('on a real broker', () => {
  let kafka: KafkaForTests;

  beforeAll(async () => {
    kafka = await openKafkaForTests();
  }, 300_000);
  afterAll(() => kafka[Symbol.asyncDispose]());

  eventLogContract('Kafka', async () => ({
    open: async () =>
      openKafkaEventLog({
        brokers: kafka.brokers.split(','),
        clientId: 'millrace-test',
        sessionTimeoutMs: 6000,
        heartbeatMs: 200,
        topicCheckMs: 200,
      }),
    [Symbol.asyncDispose]: async () => {},
  }));
});
