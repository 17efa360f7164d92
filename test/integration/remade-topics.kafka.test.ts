import { afterAll, beforeAll, describe, it } from 'vitest';
import { openKafkaEventLog } from '../../src/adapters/kafka/event-log.ts';
import { never } from '../support/faults/delivery-world.ts';
import { remadeTopics } from '../contract/remade-topics.contract.ts';
import { openKafkaForTests, whereIsKafka, type KafkaForTests } from '../support/kafka.ts';

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

  const open = () =>
    openKafkaEventLog({
      brokers: kafka.brokers.split(','),
      clientId: 'millrace-test',
      sessionTimeoutMs: 6000,
      heartbeatMs: 200,
      topicCheckMs: 200,
    });

  remadeTopics('Kafka', async () => {
    await using log = open();
    for (const prefix of ['source.', 'sink.', 'millrace.']) {
      for (const topic of await log.listTopics(prefix, never)) await log.deleteTopic(topic, never);
    }
    return open;
  });
});
