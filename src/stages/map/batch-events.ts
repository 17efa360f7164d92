import { limits } from '../../core/limits.ts';
import type { Offset } from '../../core/offset.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { CompiledMapping, MapResult } from '../../mapping/compile-mapping.ts';
import { writeDeadLetterLine } from '../../mapping/dead-letter-line.ts';
import { eventOfRecord, type MappedEvent } from '../../mapping/event-of-record.ts';
import type { LineWriter } from '../../mapping/line-writer.ts';
import { rowTooLargeForTopic } from '../../mapping/refusals.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import type { Mapped } from './map-batch.ts';

const filtered: Mapped = { kind: 'filtered' };

/** A sink that events are mapped for. */
export interface MappedSink {
  readonly progress: SinkProgress;
  readonly compiled: CompiledMapping;
  /** No line may be longer: the topic of the sink would not take it. */
  readonly maxLineBytes: number;
}

/** The events of a batch: each is made of its record once, and what is parsed of it is shared by all sinks. */
export class BatchEvents {
  readonly offsets: readonly Offset[];
  readonly #batch: RecordBatch;
  readonly #events: (MappedEvent | undefined)[];
  readonly #lines: LineWriter;

  /** Lines are written into `lines`, which must be nobody else's meanwhile. */
  constructor(batch: RecordBatch, lines: LineWriter) {
    this.#batch = batch;
    this.#lines = lines;
    this.offsets = batch.records.map(({ offset }) => offset);
    this.#events = Array.from({ length: batch.records.length });
  }

  /** The lines that were handed out are not needed any more. */
  forgetLines(): void {
    this.#lines.clear();
  }

  /** Maps the event at an index for a sink. The line stays valid until `forgetLines`. */
  map(index: number, sink: MappedSink): Mapped {
    const event = this.#eventAt(index);
    if (event === undefined) return filtered;
    const result = this.#write(event, sink);
    switch (result.kind) {
      case 'filtered':
        return filtered;
      case 'row':
        return { kind: 'row', line: this.#lines.line(), arrivedAt: event.arrivedAt };
      case 'dead': {
        const { progress, compiled, maxLineBytes } = sink;
        const { incarnation, key } = progress;
        const at = { partition: this.#batch.partition, offset: this.offsets[index] ?? 0 };
        const { refusal } = result;
        writeDeadLetterLine(
          { sink: key, incarnation, mappingVersion: compiled.mapping.version, ...at, event, refusal },
          this.#lines,
          Math.min(maxLineBytes, limits.deadLetterBytes),
        );
        return { kind: 'dead', line: this.#lines.line(), arrivedAt: event.arrivedAt };
      }
      default:
        return result satisfies never;
    }
  }

  /** Writes the row, unless it is too long. */
  #write(event: MappedEvent, { compiled, maxLineBytes }: MappedSink): MapResult {
    const result = compiled.mapEvent(event, this.#lines);
    if (result.kind !== 'row') return result;
    const { length } = this.#lines.line();
    if (length <= maxLineBytes) return result;
    this.#lines.rollback();
    return { kind: 'dead', refusal: rowTooLargeForTopic(length, maxLineBytes) };
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
