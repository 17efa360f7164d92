import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, Partitioners, type Message } from 'kafkajs';

/** A transaction of another producer, open until it is ended; disposing of an open one aborts it. */
export interface ForeignTransaction extends AsyncDisposable {
  end(outcome: 'commit' | 'abort'): Promise<void>;
}

/** Begins a transaction and writes these values into a partition: until it ends they, and all that comes behind, are not stable. */
export async function beginForeignTransaction(
  brokers: string,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  values: readonly string[],
): Promise<ForeignTransaction> {
  const producer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    transactionalId: randomUUID(),
    idempotent: true,
    // Brokers abort what is open for longer.
    transactionTimeout: 600_000,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: values.map((value): Message => ({ value, partition })) });
  let isOpen = true;
  const end = async (outcome: 'commit' | 'abort'): Promise<void> => {
    isOpen = false;
    await transaction[outcome]();
  };
  return {
    end,
    [Symbol.asyncDispose]: async () => {
      if (isOpen) await end('abort');
      await producer.disconnect();
    },
  };
}
