import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { partitionKey, type NewRecord } from '../../ports/event-log.ts';
import { appendTogetherBytes, appendWaitingBytes, recordOverheadBytes } from './config.ts';
import type { Producers } from './producers.ts';

interface Append {
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly resolve: (offset: Offset) => void;
  readonly reject: (reason: unknown) => void;
}

interface Lane {
  readonly at: TopicPartition;
  waiting: Append[];
  waitingBytes: number;
}

/**
 * Appends in order: one batch of a partition is on its way at a time, and the appends that come meanwhile go out
 * together in the next one. Partitions do not wait for each other.
 */
export class AppendQueue {
  readonly #producers: Pick<Producers, 'send'>;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Promise<void>>();

  constructor(producers: Pick<Producers, 'send'>) {
    this.#producers = producers;
  }

  append(at: TopicPartition, records: readonly NewRecord[]): Promise<Offset> {
    const key = partitionKey(at);
    const lane = this.#lanes.get(key) ?? { at, waiting: [], waitingBytes: 0 };
    const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
    if (lane.waitingBytes > 0 && lane.waitingBytes + bytes > appendWaitingBytes) {
      const message = `${lane.waitingBytes} bytes wait for partition ${at.partition} of topic "${at.topic}" already`;
      return Promise.reject(new MillraceError('log.unavailable', message, { details: { ...at } }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Offset>();
    lane.waiting.push({ records, bytes, resolve, reject });
    lane.waitingBytes += bytes;
    if (!this.#lanes.has(key)) {
      this.#lanes.set(key, lane);
      const running = this.#run(lane).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    return promise;
  }

  /** Resolves when every append that was accepted is settled. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(lane: Lane): Promise<void> {
    // Appends of the same turn share the first batch.
    await Promise.resolve();
    while (lane.waiting.length > 0) await this.#send(lane.at, this.#take(lane));
    this.#lanes.delete(partitionKey(lane.at));
  }

  #take(lane: Lane): readonly Append[] {
    let bytes = 0;
    const count = lane.waiting.findIndex((append, at) => {
      bytes += append.bytes;
      return at > 0 && bytes > appendTogetherBytes;
    });
    const taken = lane.waiting.splice(0, count === -1 ? lane.waiting.length : count);
    for (const append of taken) lane.waitingBytes -= append.bytes;
    return taken;
  }

  /** Too large together is tried one by one, in order. */
  async #send(at: TopicPartition, appends: readonly Append[]): Promise<void> {
    try {
      const records = appends.flatMap((append) => append.records);
      let offset = await this.#producers.send(at, records);
      for (const { records, resolve } of appends) {
        resolve(offset);
        offset += records.length;
      }
    } catch (error) {
      const tooLarge = error instanceof MillraceError && error.code === 'log.recordTooLarge';
      if (tooLarge && appends.length > 1) for (const append of appends) await this.#send(at, [append]);
      else for (const { reject } of appends) reject(error);
    }
  }
}

/** What an event without a body takes, too, counts: its headers, which may be many times its body, and its place. */
function sizeOf({ value, headers }: NewRecord): number {
  return headers.reduce((sum, text) => sum + text.length, recordOverheadBytes + value.byteLength);
}
