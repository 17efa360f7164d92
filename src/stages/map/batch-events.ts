import type { Refusal } from '../../core/dead-letter.ts';
import { limits } from '../../core/limits.ts';
import type { Offset } from '../../core/offset.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { CompiledMapping, MapResult } from '../../mapping/compile-mapping.ts';
import { writeDeadLetterLine } from '../../mapping/dead-letter-line.ts';
import { eventOfRecord, type MappedEvent, type RecordPlace } from '../../mapping/event-of-record.ts';
import type { LineWriter } from '../../mapping/line-writer.ts';
import { rowTooLargeForTopic, undecodable } from '../../mapping/refusals.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { Mapped } from './map-batch.ts';
import type { DecodeRecord } from './partition-decoding.ts';

const filtered: Mapped = { kind: 'filtered' };

/**
 * How many bytes of the bodies that were decoded for a batch are kept for the next sink; the others are decoded again.
 */
const keptBytes = 16 * 1024 ** 2;

/** A sink that events are mapped for. */
export interface MappedSink {
  readonly progress: SinkProgress;
  readonly compiled: CompiledMapping;
  /** No line may be longer: the topic of the sink would not take it. */
  readonly maxLineBytes: number;
}

/** An event, and why no mapping is asked what becomes of it. */
interface ReadEvent {
  readonly event: MappedEvent;
  readonly refusal: Refusal | undefined;
}

/** The events of a batch: each is made of its record once, and what is parsed of it is shared by all sinks. */
export class BatchEvents {
  readonly offsets: readonly Offset[];
  readonly #batch: RecordBatch;
  readonly #events: (ReadEvent | undefined)[];
  readonly #lines: LineWriter;
  readonly #decode: DecodeRecord;
  #decodedBytes = 0;

  /** Lines are written into `lines`, which must be nobody else's meanwhile. */
  constructor(batch: RecordBatch, lines: LineWriter, decode: DecodeRecord = () => undefined) {
    this.#batch = batch;
    this.#lines = lines;
    this.#decode = decode;
    this.offsets = batch.records.map(({ offset }) => offset);
    this.#events = Array.from({ length: batch.records.length });
  }

  /** The lines that were handed out are not needed any more. */
  forgetLines(): void {
    this.#lines.clear();
  }

  /** Maps the event at an index for a sink. The line stays valid until `forgetLines`. */
  map(index: number, sink: MappedSink): Mapped {
    const read = this.#eventAt(index);
    if (read === undefined) return filtered;
    const { event } = read;
    const result = this.#write(read, sink);
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
  #write({ event, refusal }: ReadEvent, { compiled, maxLineBytes }: MappedSink): MapResult {
    if (refusal !== undefined) return compiled.wants(event) ? { kind: 'dead', refusal } : { kind: 'filtered' };
    const result = compiled.mapEvent(event, this.#lines);
    if (result.kind !== 'row') return result;
    const { length } = this.#lines.line();
    if (length <= maxLineBytes) return result;
    this.#lines.rollback();
    return { kind: 'dead', refusal: rowTooLargeForTopic(length, maxLineBytes) };
  }

  #eventAt(index: number): ReadEvent | undefined {
    const known = this.#events[index];
    if (known !== undefined) return known;
    const { topic, partition, records } = this.#batch;
    const record = records[index];
    if (record === undefined) return undefined;
    const read = this.#read(record, { topic, partition, offset: record.offset });
    if (this.#decodedBytes <= keptBytes) this.#events[index] = read;
    return read;
  }

  #read(record: LogRecord, place: RecordPlace): ReadEvent {
    const decoded = this.#decode(record);
    if (decoded?.kind !== 'json') {
      const refusal = decoded === undefined ? undefined : undecodable(decoded.problem);
      return { event: eventOfRecord(record, place), refusal };
    }
    this.#decodedBytes += decoded.text.length;
    return { event: eventOfRecord(record, place, decoded.text), refusal: undefined };
  }
}
