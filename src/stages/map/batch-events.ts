import type { DeadLetterReason } from '../../core/dead-letter.ts';
import { Buffer } from 'node:buffer';
import type { Refusal } from '../../core/dead-letter.ts';
import { limits } from '../../core/limits.ts';
import type { Offset } from '../../core/offset.ts';
import { packedCountsBytes } from '../../core/outcome.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { UnpackedEvent } from '../../events/unpack-otlp.ts';
import type { CompiledMapping, MapResult, RecordSteps } from '../../mapping/compile-mapping.ts';
import { writeDeadLetterLine } from '../../mapping/dead-letter-line.ts';
import { EnvelopeReader } from '../../mapping/envelope.ts';
import { eventOfRecord, type MappedEvent, type RecordPlace } from '../../mapping/event-of-record.ts';
import type { LineWriter } from '../../mapping/line-writer.ts';
import { recordTooLargeForTopic, rowTooLargeForTopic, undecodable } from '../../mapping/refusals.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { Mapped } from './map-batch.ts';
import type { DecodeRecord } from './partition-decoding.ts';

const filtered = { kind: 'filtered' } as const satisfies Mapped;

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

/** A record as one event, and the events that it holds when it was packed. */
interface ReadRecord extends ReadEvent {
  readonly events?: readonly MappedEvent[];
}

type MappedLine = Extract<Mapped, { kind: 'row' | 'dead' }>;

/** Of which record an event is. */
interface OfRecord {
  readonly index: number;
  /** What its templates may take together with those of the other events of the record. */
  readonly steps?: RecordSteps;
}

export interface BatchReading {
  /** Lines are written into them; they must be nobody else's meanwhile. */
  readonly lines: LineWriter;
  readonly decode?: DecodeRecord;
  /** More than one sink wants the events: they are kept for the next one. For one alone they would only be old when it is done. */
  readonly isShared?: boolean;
}

/** The events of a batch: each is made of its record once, and what is parsed of it is shared by all sinks. */
export class BatchEvents {
  readonly offsets: readonly Offset[];
  readonly #batch: RecordBatch;
  readonly #records: (ReadRecord | undefined)[];
  readonly #lines: LineWriter;
  readonly #decode: DecodeRecord;
  readonly #isShared: boolean;
  /** Of a batch with values as they came. */
  readonly #undecoded = { envelopes: new EnvelopeReader() };
  #decodedBytes = 0;

  constructor(batch: RecordBatch, { lines, decode = () => undefined, isShared = true }: BatchReading) {
    this.#batch = batch;
    this.#lines = lines;
    this.#decode = decode;
    this.#isShared = isShared;
    this.offsets = batch.records.map(({ offset }) => offset);
    this.#records = Array.from({ length: batch.records.length });
  }

  /** The lines that were handed out are not needed any more. */
  forgetLines(): void {
    this.#lines.clear();
  }

  /** Maps the event, or the events, of the record at an index for a sink. The lines stay valid until `forgetLines`. */
  map(index: number, sink: MappedSink): Mapped {
    const record = this.#recordAt(index);
    if (record === undefined) return filtered;
    if (record.events === undefined) return this.#mapEvent(record, sink, { index });
    return this.#mapAll(record.events, sink, index) ?? this.#mapEvent(tooLarge(record, sink), sink, { index });
  }

  /** Undefined when the lines are too much for one record of the sink's topic. */
  #mapAll(events: readonly MappedEvent[], sink: MappedSink, index: number): Mapped | undefined {
    const steps = sink.compiled.stepsOfRecord();
    const lines: Record<MappedLine['kind'], Uint8Array[]> = { row: [], dead: [] };
    const reasons: DeadLetterReason[] = [];
    let room = sink.maxLineBytes - packedCountsBytes;
    let mapped: Mapped = filtered;
    for (const event of events) {
      mapped = this.#mapEvent({ event, refusal: undefined }, sink, { index, steps });
      if (mapped.kind === 'filtered') continue;
      lines[mapped.kind].push(mapped.line);
      if (mapped.kind === 'dead') reasons.push(mapped.reason);
      room -= mapped.line.length;
      if (room < 0) return undefined;
    }
    const [first] = events;
    if (first === undefined || events.length === 1) return mapped;
    const { row, dead } = lines;
    const [rowLines, deadLines] = [Buffer.concat(row), Buffer.concat(dead)];
    const counts = { rows: row.length, dead: dead.length, filtered: events.length - row.length - dead.length };
    return { kind: 'packed', arrivedAt: first.arrivedAt, ...counts, rowLines, deadLines, reasons };
  }

  #mapEvent(read: ReadEvent, sink: MappedSink, { index, steps }: OfRecord): MappedLine | typeof filtered {
    const { event } = read;
    const result = this.#write(read, sink, steps);
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
        const isWhole = read.refusal === undefined;
        writeDeadLetterLine(
          { sink: key, incarnation, mappingVersion: compiled.mapping.version, ...at, event, refusal, isWhole },
          this.#lines,
          Math.min(maxLineBytes, limits.deadLetterBytes),
        );
        return { kind: 'dead', line: this.#lines.line(), arrivedAt: event.arrivedAt, reason: refusal.reason };
      }
      default:
        return result satisfies never;
    }
  }

  /** Writes the row, unless it is too long. */
  #write({ event, refusal }: ReadEvent, { compiled, maxLineBytes }: MappedSink, steps?: RecordSteps): MapResult {
    if (refusal !== undefined) return compiled.wants(event) ? { kind: 'dead', refusal } : { kind: 'filtered' };
    const result = compiled.mapEvent(event, this.#lines, steps);
    if (result.kind !== 'row') return result;
    const { lineLength } = this.#lines;
    if (lineLength <= maxLineBytes) return result;
    this.#lines.rollback();
    return { kind: 'dead', refusal: rowTooLargeForTopic(lineLength, maxLineBytes) };
  }

  #recordAt(index: number): ReadRecord | undefined {
    const known = this.#records[index];
    if (known !== undefined) return known;
    const { topic, partition, records } = this.#batch;
    const record = records[index];
    if (record === undefined) return undefined;
    const read = this.#read(record, { topic, partition, offset: record.offset });
    if (this.#isShared && this.#decodedBytes <= keptBytes) this.#records[index] = read;
    return read;
  }

  #read(record: LogRecord, place: RecordPlace): ReadRecord {
    const decoded = this.#decode(record);
    if (decoded?.kind === 'packed') return this.#unpacked(decoded.events, record, place);
    if (decoded?.kind !== 'json') {
      const refusal = decoded === undefined ? undefined : undecodable(decoded.problem);
      return { event: eventOfRecord(record, place, this.#undecoded), refusal };
    }
    this.#decodedBytes += decoded.text.length;
    return { event: eventOfRecord(record, place, { json: decoded.text }), refusal: undefined };
  }

  #unpacked(items: readonly UnpackedEvent[], record: LogRecord, place: RecordPlace): ReadRecord {
    const { timestamp } = record;
    const events = items.map(({ value, headers }, item) => {
      this.#decodedBytes += value.length;
      return eventOfRecord({ value, headers, timestamp }, { ...place, item }, this.#undecoded);
    });
    return { event: eventOfRecord(record, place, this.#undecoded), refusal: undefined, events };
  }
}

function tooLarge({ event, events = [] }: ReadRecord, { maxLineBytes }: MappedSink): ReadEvent {
  return { event, refusal: recordTooLargeForTopic(events.length, maxLineBytes) };
}
