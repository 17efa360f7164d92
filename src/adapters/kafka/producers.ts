import { Partitioners, type Kafka, type Message, type Producer } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import { fromKafka } from './errors.ts';

interface Generation {
  readonly producer: Producer;
  readonly connected: Promise<void>;
  sending: number;
  retired: boolean;
}

/**
 * The idempotent producer of a log, made anew after a send whose outcome is unclear: kafkajs would give the same
 * sequence number to the next batch, and a broker that has the first one would take the second for its repetition and
 * acknowledge what it does not store. A new producer also forgets topics that were deleted meanwhile.
 */
export class Producers {
  readonly #kafka: Kafka;
  readonly #generations = new Set<Generation>();
  #current: Generation | undefined;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** Sends one batch to one partition, acknowledged by all in-sync replicas; the offset of its first message. */
  async send(topic: string, messages: Message[]): Promise<Offset> {
    const generation = (this.#current ??= this.#create());
    generation.sending += 1;
    try {
      await generation.connected;
      const [metadata] = await generation.producer.send({ topic, messages, acks: -1 });
      if (metadata?.baseOffset === undefined) {
        throw new MillraceError('log.unavailable', `the broker of topic "${topic}" acknowledged without an offset`);
      }
      return Number(metadata.baseOffset);
    } catch (thrown) {
      const error = fromKafka(thrown, `cannot append to topic "${topic}"`, { topic });
      // A broker refuses a batch that is too large before it gives it a sequence number.
      if (!(error instanceof MillraceError && error.code === 'log.recordTooLarge')) this.#retire(generation);
      throw error;
    } finally {
      generation.sending -= 1;
      await this.#disconnectWhenIdle(generation);
    }
  }

  /** The next send begins with a new producer; for when topics went. */
  renew(): void {
    if (this.#current !== undefined) this.#retire(this.#current);
  }

  /** Closes the connections; nothing may be sending. */
  async close(): Promise<void> {
    await Promise.all([...this.#generations].map(({ producer }) => producer.disconnect()));
    this.#generations.clear();
  }

  #create(): Generation {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    const generation = { producer, connected: producer.connect(), sending: 0, retired: false };
    this.#generations.add(generation);
    return generation;
  }

  #retire(generation: Generation): void {
    generation.retired = true;
    if (this.#current === generation) this.#current = undefined;
    void this.#disconnectWhenIdle(generation);
  }

  async #disconnectWhenIdle(generation: Generation): Promise<void> {
    if (!generation.retired || generation.sending > 0 || !this.#generations.delete(generation)) return;
    await generation.producer.disconnect().catch(() => undefined);
  }
}
