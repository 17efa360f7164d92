import { eventually } from '../../support/eventually.ts';
import type { KafkaBrokers } from '../../support/kafka-brokers.ts';
import { chaosTopic } from '../producer-door.ts';

/** What events go into, and by which partition groups and transactions find their coordinator. */
const topics = [chaosTopic, '__consumer_offsets', '__transaction_state'];

/** Each partition of these topics gets another leader that is in sync. Resolves when one has it at least: ways may be spoilt meanwhile. */
export async function moveLeaders(kafka: KafkaBrokers): Promise<void> {
  await eventually(
    async () => {
      const moved = await Promise.allSettled(topics.map((topic) => moveLeadersOf(kafka, topic)));
      if (moved.every(({ status }) => status === 'rejected'))
        throw new Error(`no leader moves: ${JSON.stringify(moved)}`);
    },
    { withinMs: 240_000, everyMs: 500 },
  );
}

async function moveLeadersOf(kafka: KafkaBrokers, topic: string): Promise<void> {
  const states = await kafka.partitions(topic);
  const moves = states.map(async ({ partition, leader, inSync }) => {
    const other = inSync.find((id) => id !== leader);
    if (other === undefined) throw new Error(`no other broker is in sync for partition ${partition} of ${topic}`);
    await kafka.moveLeader({ topic, partition }, other);
  });
  await Promise.any(moves);
  await Promise.allSettled(moves);
}
