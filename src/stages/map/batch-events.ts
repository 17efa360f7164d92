import type { Offset } from '../../core/offset.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { CompiledMapping } from '../../mapping/compile-mapping.ts';
import { writeDeadLetterLine } from '../../mapping/dead-letter-line.ts';
import { eventOfRecord, type MappedEvent } from '../../mapping/event-of-record.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import type { Mapped } from './map-batch.ts';

const filtered: Mapped = { kind: 'filtered' };

/** The events of a batch: each is made of its record once, and what is parsed of it is shared by all sinks. */
export class BatchEvents {
  readonly offsets: readonly Offset[];
  readonly #batch: RecordBatch;
  readonly #events: (MappedEvent | undefined)[];
  readonly #writer = new LineWriter();

  constructor(batch: RecordBatch) {
    this.#batch = batch;
    this.offsets = batch.records.map(({ offset }) => offset);
    this.#events = Array.from({ length: batch.records.length });
  }

  /** Maps the event at an index for a sink. The line stays valid as long as this batch is kept. */
  map(index: number, progress: SinkProgress, compiled: CompiledMapping): Mapped {
    const event = this.#eventAt(index);
    if (event === undefined) return filtered;
    const result = compiled.mapEvent(event, this.#writer);
    switch (result.kind) {
      case 'filtered':
        return filtered;
      case 'row':
        return { kind: 'row', line: this.#writer.line(), arrivedAt: event.arrivedAt };
      case 'dead': {
        const { incarnation, key } = progress;
        const at = { partition: this.#batch.partition, offset: this.offsets[index] ?? 0 };
        const { refusal } = result;
        writeDeadLetterLine(
          { sink: key, incarnation, mappingVersion: compiled.mapping.version, ...at, event, refusal },
          this.#writer,
        );
        return { kind: 'dead', line: this.#writer.line(), arrivedAt: event.arrivedAt };
      }
      default:
        return result satisfies never;
    }
  }

  #eventAt(index: number): MappedEvent | undefined {
    const known = this.#events[index];
    if (known !== undefined) return known;
    const { topic, partition, records } = this.#batch;
    const record = records[index];
    if (record === undefined) return undefined;
    const event = eventOfRecord(record, { topic, partition, offset: record.offset });
    this.#events[index] = event;
    return event;
  }
}
