import { afterAll, beforeAll, describe, it } from 'vitest';
import type { KafkaEventLogOptions } from '../../src/adapters/kafka/config.ts';
import { openKafkaEventLog } from '../../src/adapters/kafka/event-log.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { openKafkaForTests, whereIsKafka, type KafkaForTests } from './kafka.ts';

/** What the tests of a suite find; not there before they run. */
export interface KafkaOfSuite {
  readonly brokers: string;
}

/** Declares a suite on the Kafka of `openKafkaForTests`. Where there is none it is skipped, with the reason; in CI that fails. */
export async function onKafka(declare: (kafka: KafkaOfSuite) => void): Promise<void> {
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
    let kafka: KafkaForTests | undefined;
    beforeAll(async () => {
      kafka = await openKafkaForTests();
    });
    afterAll(() => kafka?.[Symbol.asyncDispose]());
    declare({
      get brokers() {
        if (kafka === undefined) throw new Error('the brokers are asked for before the tests run');
        return kafka.brokers;
      },
    });
  });
}

/** A log whose members do not wait long for each other and for topics. */
export function openHastyLog(brokers: string, options: Partial<KafkaEventLogOptions> = {}): EventLog {
  const times = { sessionTimeoutMs: 6000, heartbeatMs: 200, topicCheckMs: 200 };
  return openKafkaEventLog({ clientId: 'millrace-test', ...times, ...options, brokers: brokers.split(',') });
}
