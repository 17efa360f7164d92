import { identifiedKey, type IdentifiedPartition, type NewRecord } from '../../ports/event-log.ts';
import type { KafkaConnections } from './client.ts';
import { newProducerId, type ProducerId } from './producer-ids.ts';
import { encodeBatch, type BatchCompression } from './record-batch.ts';

/** How many records a producer has written to a partition. */
interface Sequence {
  readonly producer: ProducerId;
  written: number;
}

/** Makes the next batch of a partition out of records; undefined when its producer was forgotten since the encoder was made. */
export type BatchEncoder = (records: readonly NewRecord[]) => Buffer | undefined;

/** Sequence numbers begin again here. */
const largestSequence = 2 ** 31;

/**
 * Who writes, and how much was written. By the producer's id and the sequence number a broker knows what it already
 * has, so that a batch which is sent again is stored once, and none overtakes another. After an outcome that stays
 * unclear the partition gets another producer id: under the old one its next batch would be taken for the unclear one.
 */
export class Producers {
  readonly #connections: Pick<KafkaConnections, 'onAnyBroker'>;
  readonly #sequences = new Map<string, Sequence>();
  readonly #compression: BatchCompression | undefined;
  #producer: Promise<ProducerId> | undefined;

  constructor(connections: Pick<KafkaConnections, 'onAnyBroker'>, compression?: BatchCompression) {
    this.#connections = connections;
    this.#compression = compression;
  }

  async encoder(at: IdentifiedPartition): Promise<BatchEncoder> {
    const sequence = await this.#sequence(at);
    return (records) =>
      this.#sequences.get(identifiedKey(at)) === sequence
        ? encodeBatch(records, { ...sequence.producer, sequence: sequence.written }, this.#compression)
        : undefined;
  }

  counted(at: IdentifiedPartition, records: number): void {
    const sequence = this.#sequences.get(identifiedKey(at));
    if (sequence !== undefined) sequence.written = (sequence.written + records) % largestSequence;
  }

  forget(at: IdentifiedPartition): void {
    // Any later producer is one that the partition has not seen.
    if (this.#sequences.delete(identifiedKey(at))) this.#producer = undefined;
  }

  /** A topic went: what was counted of it counts no more. */
  forgetTopic(topic: string): void {
    for (const key of this.#sequences.keys()) if (key.startsWith(`${topic}/`)) this.#sequences.delete(key);
    this.#producer = undefined;
  }

  async #sequence(at: IdentifiedPartition): Promise<Sequence> {
    const key = identifiedKey(at);
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const sequence = { producer: await this.#currentProducer(), written: 0 };
    this.#sequences.set(key, sequence);
    return sequence;
  }

  async #currentProducer(): Promise<ProducerId> {
    this.#producer ??= this.#connections.onAnyBroker(newProducerId);
    try {
      return await this.#producer;
    } catch (thrown) {
      this.#producer = undefined;
      throw thrown;
    }
  }
}
