import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Offset, Partition } from '../../core/offset.ts';
import { OutcomeHeader } from '../../core/outcome.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { SinkTopics } from '../../core/progress/sink-progress.ts';
import type { EventLog, IdentifiedPartition } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** How far a partition was read. */
interface Reading {
  /** The sink offset that is read next. */
  next: Offset;
  /** Behind the highest source offset with an outcome below it. */
  end: Offset;
}

/**
 * How far the topic of a sink has outcomes. The last one says too little: a mapper that was slow, or that maps again what went missing,
 * appends repeats behind outcomes of later offsets. So all of the topic is read, once: asked again it reads on.
 */
export class OutcomeEnds {
  readonly #log: EventLog;
  readonly #header = new OutcomeHeader();
  readonly #readings = new Map<Partition, Reading>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Of each partition; empty when the topic is not the one that the document knows. */
  async read({ sink, sinkIdentity: identity }: SinkTopics, options: Waiting): Promise<Ends> {
    const ends = new Map<Partition, Offset>();
    const found = await this.#log.describeTopic(sink, options);
    if (found?.identity !== identity) return ends;
    for (let partition = 0; partition < found.partitions; partition += 1)
      ends.set(partition, await this.#endOf({ topic: sink, identity, partition }, options));
    return ends;
  }

  async #endOf(at: IdentifiedPartition, options: Waiting): Promise<Offset> {
    const reading = this.#readings.get(at.partition) ?? { next: 0, end: 0 };
    this.#readings.set(at.partition, reading);
    for (;;) {
      const { records, next, failure } = await this.#log.read(at, reading.next, options);
      if (failure !== undefined) throw failure;
      for (const { value } of records) {
        this.#header.read(value);
        reading.end = Math.max(reading.end, this.#header.to + 1);
      }
      if (next <= reading.next) return reading.end;
      reading.next = next;
      // A log in a file answers without waiting, and a topic may hold gigabytes.
      await nextTurn();
    }
  }
}
