import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { partitionKey, type NewRecord } from '../../ports/event-log.ts';
import type { KafkaConnections } from './client.ts';
import { appendPatienceMs, maxBatchBytes, patienceStepMs, produceRequestBytes } from './config.ts';
import { fromKafka, isPassing } from './errors.ts';
import { produceBatches, type ProduceAnswer, type ProducedBatch } from './produce-request.ts';
import { newProducerId, type ProducerId } from './producer-ids.ts';
import { encodeBatch } from './record-batch.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** How many records a producer has written to a partition. */
interface Sequence {
  readonly producer: ProducerId;
  written: number;
}

interface Sending extends ProducedBatch {
  readonly resolve: (answer: ProduceAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Requests to one leader go one after the other; what comes meanwhile shares the next. */
interface Lane {
  readonly waiting: Sending[];
}

/** Sequence numbers begin again here. */
const largestSequence = 2 ** 31;

/**
 * Idempotent appends. A batch is sent again, the same to the byte, until its leader answers; the broker knows by the
 * sequence number what it has already, so that nothing is stored twice or in another order. After an outcome that stays
 * unclear the partition gets another producer id: with the old one its next batch would pass for the unclear one.
 */
export class Producers {
  readonly #connections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #sequences = new Map<string, Sequence>();
  readonly #lanes = new Map<number, Lane>();
  readonly #closing = new AbortController();
  #producer: Promise<ProducerId> | undefined;

  constructor(connections: KafkaConnections, directory: TopicDirectory) {
    this.#connections = connections;
    this.#directory = directory;
  }

  /** Stores the records as one batch, on all in-sync replicas; the offset of the first. One at a time of a partition. */
  async send(at: TopicPartition, records: readonly NewRecord[]): Promise<Offset> {
    const deadline = performance.now() + appendPatienceMs;
    try {
      const sequence = await this.#sequence(at);
      const bytes = encodeBatch(records, { ...sequence.producer, sequence: sequence.written });
      if (bytes.length > maxBatchBytes) throw tooLarge(at, bytes.length);
      const offset = await this.#store({ at, bytes }, deadline);
      sequence.written = (sequence.written + records.length) % largestSequence;
      return offset;
    } catch (thrown) {
      const error = fromKafka(thrown, `cannot append to topic "${at.topic}"`, { topic: at.topic });
      // A broker refuses a batch that is too large before it counts it.
      if (!(error instanceof MillraceError && error.code === 'log.recordTooLarge')) this.#forget(at);
      throw error;
    }
  }

  /** A topic went: what was counted of it counts no more. */
  forgetTopic(topic: string): void {
    for (const key of this.#sequences.keys()) if (key.startsWith(`${topic}/`)) this.#sequences.delete(key);
    this.#producer = undefined;
  }

  /** What is on its way is not sent again; its first failure settles it. */
  close(): void {
    this.#closing.abort();
  }

  async #sequence(at: TopicPartition): Promise<Sequence> {
    const key = partitionKey(at);
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

  #forget(at: TopicPartition): void {
    // Any later producer is one that the partition has not seen.
    if (this.#sequences.delete(partitionKey(at))) this.#producer = undefined;
  }

  async #store(batch: ProducedBatch, deadline: number): Promise<Offset> {
    const { at } = batch;
    for (;;) {
      let failure: unknown;
      try {
        const answer = await this.#sendToLeader(batch);
        if (answer.kind === 'stored') return answer.offset;
        failure = answer.error;
      } catch (thrown) {
        failure = thrown;
      }
      if (!isPassing(failure) || performance.now() > deadline || this.#closing.signal.aborted) throw failure;
      this.#directory.forget(at.topic);
      await sleep(patienceStepMs);
    }
  }

  async #sendToLeader(batch: ProducedBatch): Promise<ProduceAnswer> {
    const leader = await this.#directory.leader(batch.at);
    const { promise, resolve, reject } = Promise.withResolvers<ProduceAnswer>();
    const sending = { ...batch, resolve, reject };
    const lane = this.#lanes.get(leader);
    if (lane === undefined) {
      this.#lanes.set(leader, { waiting: [sending] });
      void this.#run(leader);
    } else lane.waiting.push(sending);
    return promise;
  }

  /** Never rejects. */
  async #run(leader: number): Promise<void> {
    const lane = this.#lanes.get(leader) ?? { waiting: [] };
    for (;;) {
      // Whoever was answered by the last request, and all partitions that have something now, share the next.
      await new Promise(setImmediate);
      const batches = take(lane);
      if (batches.length === 0) break;
      try {
        const broker = await this.#connections.broker(leader);
        const answers = await produceBatches(broker, batches);
        for (const { at, resolve, reject } of batches) {
          const answer = answers.get(partitionKey(at));
          if (answer === undefined) reject(notAnswered(at));
          else resolve(answer);
        }
      } catch (thrown) {
        for (const { reject } of batches) reject(thrown);
      }
    }
    this.#lanes.delete(leader);
  }
}

function take({ waiting }: Lane): readonly Sending[] {
  let bytes = 0;
  const count = waiting.findIndex((sending, index) => {
    bytes += sending.bytes.length;
    return index > 0 && bytes > produceRequestBytes;
  });
  return waiting.splice(0, count === -1 ? waiting.length : count);
}

function tooLarge(at: TopicPartition, bytes: number): MillraceError {
  const message = `an append of ${bytes} bytes to topic "${at.topic}" is larger than ${maxBatchBytes} bytes, the most that is sent`;
  return new MillraceError('log.recordTooLarge', message, { details: { topic: at.topic } });
}

function notAnswered({ topic, partition }: TopicPartition): MillraceError {
  return new MillraceError(
    'log.unavailable',
    `the broker did not answer for partition ${partition} of topic "${topic}"`,
  );
}
