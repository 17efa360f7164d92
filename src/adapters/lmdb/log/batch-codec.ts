import { MillraceError } from '../../../core/millrace-error.ts';
import type { LogRecord, NewRecord, RecordRun } from '../../../ports/event-log.ts';
import { mostJsonBytes, writeJsonTexts } from './json-texts.ts';
import { StoredHeaders } from './stored-headers.ts';

/**
 * A stored batch: one byte of format, three unused, the number of records, the bytes of all batches before it in the
 * partition; then the records, at dense offsets. All numbers are little endian.
 */
const batchFormat = 1;
const batchHeader = { format: 0, count: 4, bytesBefore: 8, bytes: 16 } as const;

/** A record: its timestamp, the lengths of headers and value, then both. Headers are a JSON array, or nothing when empty. */
const recordHeader = { timestamp: 0, headers: 8, value: 12, bytes: 16 } as const;

/** Bounds for the buffers that are kept for the next commit; anything beyond is left to the garbage collector. */
const arenaBytes = 1024 * 1024;
const arenasKept = 4;

/** A batch as it goes to the store. The bytes are a view of an arena, valid until `BatchEncoder.release`. */
export interface EncodedBatch {
  readonly count: number;
  readonly bytes: Buffer;
}

const none: readonly string[] = [];

/** The end of a JSON array as bytes, `,"name","value"]`, remembered for the list that came last. */
class SharedHeaders {
  #list: readonly string[] = none;
  #bytes = Buffer.alloc(0);

  bytesOf(list: readonly string[]): Buffer {
    if (list !== this.#list) {
      this.#list = list;
      this.#bytes = Buffer.from(`,${JSON.stringify(list).slice(1)}`);
    }
    return this.#bytes;
  }
}

/** What the records of a run begin with. */
interface Prefix {
  readonly bytes: Buffer;
  /** Where the value of the first header is to stand. */
  readonly firstValue: number;
}

const quote = 0x22;
const endOfList = Buffer.from(']');

/** Bytes of the value of a record of a run. */
export function valueLength({ bounds }: RecordRun, at: number): number {
  return (bounds[2 * at + 1] ?? 0) - (bounds[2 * at] ?? 0);
}

/** Writes batches one behind the other into reused memory: no allocation per record or batch in the steady state. */
export class BatchEncoder {
  readonly #free: Buffer[] = [];
  readonly #used: Buffer[] = [];
  readonly #shared = new SharedHeaders();
  #arena: Buffer = Buffer.allocUnsafeSlow(arenaBytes);
  #view = viewOf(this.#arena);
  #start = 0;
  #position = 0;
  #count = 0;

  /** Bytes of the open batch so far. */
  get size(): number {
    return this.#position - this.#start;
  }

  get count(): number {
    return this.#count;
  }

  begin(bytesBefore: number): void {
    this.#start = this.#position;
    this.#count = 0;
    this.#reserve(batchHeader.bytes);
    this.#arena.writeUInt32LE(batchFormat, this.#start + batchHeader.format);
    this.#arena.writeDoubleLE(bytesBefore, this.#start + batchHeader.bytesBefore);
    this.#position += batchHeader.bytes;
  }

  add(record: NewRecord): void {
    const { headers, value, timestamp, sharedHeaders = none } = record;
    const areNone = headers.length + sharedHeaders.length === 0;
    const shared = sharedHeaders.length === 0 ? undefined : this.#shared.bytesOf(sharedHeaders);
    this.#reserve(recordHeader.bytes + mostJsonBytes(headers) + (shared?.length ?? 0) + value.length);
    const at = this.#position;
    const arena = this.#arena;
    const headersStart = at + recordHeader.bytes;
    let headersBytes = areNone ? 0 : writeJsonTexts(headers, arena, headersStart) - headersStart;
    if (shared !== undefined) {
      // Behind the record's own ones, in place of the bracket that closes them.
      const more = headers.length === 0 ? shared.subarray(1) : shared;
      arena.set(more, headersStart + headersBytes - 1);
      headersBytes += more.length - 1;
    }
    arena.writeDoubleLE(timestamp, at + recordHeader.timestamp);
    arena.writeUInt32LE(headersBytes, at + recordHeader.headers);
    arena.writeUInt32LE(value.length, at + recordHeader.value);
    arena.set(value, headersStart + headersBytes);
    this.#position = headersStart + headersBytes + value.length;
    this.#count += 1;
  }

  /**
   * Adds records of a run from one on, until the next would make the batch larger than `most` bytes, and one at least; answers which is
   * next. They are what `add` would make of each: all that they have in common is written once, and copied.
   */
  addRun(run: RecordRun, from: number, most: number): number {
    const { memory, bounds, firstHeader } = run;
    const { valueBytes, values } = firstHeader;
    const prefix = this.#prefixOf(run);
    let next = from;
    do {
      const [start, end] = [bounds[2 * next] ?? 0, bounds[2 * next + 1] ?? 0];
      this.#reserve(prefix.bytes.length + end - start);
      const at = this.#position;
      prefix.bytes.copy(this.#arena, at);
      // A loop is quicker than a call for so few bytes.
      for (let index = 0; index < valueBytes; index += 1)
        this.#arena[at + prefix.firstValue + index] = values[next * valueBytes + index] ?? 0;
      this.#view.setUint32(at + recordHeader.value, end - start, true);
      memory.copy(this.#arena, at + prefix.bytes.length, start, end);
      this.#position = at + prefix.bytes.length + end - start;
      next += 1;
    } while (next < run.length && this.size + valueLength(run, next) <= most);
    this.#count += next - from;
    return next;
  }

  /** What stands before the value of each record of a run, but for the value of its first header, and the length of its own. */
  #prefixOf({ firstHeader: { name, valueBytes }, sharedHeaders, timestamp }: RecordRun): Prefix {
    const start = Buffer.from(`[${JSON.stringify(name)},"`);
    const end = sharedHeaders.length === 0 ? endOfList : this.#shared.bytesOf(sharedHeaders);
    const firstValue = recordHeader.bytes + start.length;
    const bytes = Buffer.allocUnsafe(firstValue + valueBytes + 1 + end.length);
    bytes.writeDoubleLE(timestamp, recordHeader.timestamp);
    bytes.writeUInt32LE(bytes.length - recordHeader.bytes, recordHeader.headers);
    bytes.set(start, recordHeader.bytes);
    bytes[firstValue + valueBytes] = quote;
    bytes.set(end, firstValue + valueBytes + 1);
    return { bytes, firstValue };
  }

  finish(): EncodedBatch {
    this.#arena.writeUInt32LE(this.#count, this.#start + batchHeader.count);
    return { count: this.#count, bytes: this.#arena.subarray(this.#start, this.#position) };
  }

  /** Gives the memory of all batches back; none of their bytes may be used after it. */
  release(): void {
    for (const arena of [...this.#used, this.#arena]) {
      if (arena.length === arenaBytes && this.#free.length < arenasKept) this.#free.push(arena);
    }
    this.#used.length = 0;
    this.#arena = this.#take(arenaBytes);
    this.#view = viewOf(this.#arena);
    this.#start = 0;
    this.#position = 0;
  }

  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#arena.length) return;
    const written = this.#position - this.#start;
    const larger = this.#take(Math.max(arenaBytes, (written + bytes) * 2));
    this.#arena.copy(larger, 0, this.#start, this.#position);
    this.#used.push(this.#arena);
    this.#arena = larger;
    this.#view = viewOf(larger);
    this.#start = 0;
    this.#position = written;
  }

  #take(bytes: number): Buffer {
    return (bytes === arenaBytes ? this.#free.pop() : undefined) ?? Buffer.allocUnsafeSlow(bytes);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Bytes of all batches before this one, since the partition was made. */
export function bytesBeforeBatch(batch: Buffer): number {
  return batch.readDoubleLE(batchHeader.bytesBefore);
}

export function batchCount(batch: Buffer): number {
  return batch.readUInt32LE(batchHeader.count);
}

/** A walk over the records of a stored batch; the records are views of its bytes. */
export class BatchCursor {
  readonly #batch: Buffer;
  /** Reads numbers at a fifth of what the methods of a buffer take. */
  readonly #view: DataView;
  readonly #headers: StoredHeaders;
  readonly #end: number;
  #offset: number;
  /** Of the present record: where it begins, and what its header says. */
  #position: number = batchHeader.bytes;
  #headersBytes = 0;
  #valueBytes = 0;

  constructor(batch: Buffer, base: number) {
    if (batch.length < batchHeader.bytes || batch.readUInt8(batchHeader.format) !== batchFormat) {
      throw new MillraceError('log.unavailable', `the batch at offset ${base} is damaged (${batch.length} bytes)`);
    }
    this.#batch = batch;
    this.#view = new DataView(batch.buffer, batch.byteOffset, batch.length);
    this.#headers = new StoredHeaders(batch);
    this.#offset = base;
    this.#end = base + batchCount(batch);
    this.#look();
  }

  /** Offset of the record that `take` gives; equal to the end of the batch when there is none. */
  get offset(): number {
    return this.#offset;
  }

  /** One past the last record of the batch. */
  get end(): number {
    return this.#end;
  }

  get done(): boolean {
    return this.#offset >= this.#end;
  }

  /** Bytes that the present record takes. */
  get size(): number {
    return recordHeader.bytes + this.#headersBytes + this.#valueBytes;
  }

  skipTo(offset: number): void {
    while (this.#offset < offset && !this.done) this.#advance();
  }

  take(): LogRecord {
    const at = this.#position;
    const valueStart = at + recordHeader.bytes + this.#headersBytes;
    const place = { at, valueStart, valueEnd: valueStart + this.#valueBytes, offset: this.#offset };
    const record = new StoredRecord(this.#batch, place, this.#headers);
    this.#advance();
    return record;
  }

  #advance(): void {
    this.#position += this.size;
    this.#offset += 1;
    this.#look();
  }

  #look(): void {
    if (this.done) return;
    this.#headersBytes = this.#view.getUint32(this.#position + recordHeader.headers, true);
    this.#valueBytes = this.#view.getUint32(this.#position + recordHeader.value, true);
  }
}

interface Place {
  readonly at: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly offset: number;
}

/**
 * A record as a view of its batch. Headers are parsed on demand, which mappings without headers never make, and each time anew: whoever
 * reads a batch has all of its records, and mostly needs the headers of one at a time. So is the view of the value made, once.
 */
class StoredRecord implements LogRecord {
  readonly offset: number;
  readonly memory: Buffer;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly #at: number;
  readonly #stored: StoredHeaders;
  #value: Buffer | undefined;

  constructor(batch: Buffer, { at, valueStart, valueEnd, offset }: Place, headers: StoredHeaders) {
    this.offset = offset;
    this.memory = batch;
    this.valueStart = valueStart;
    this.valueEnd = valueEnd;
    this.#at = at;
    this.#stored = headers;
  }

  get value(): Buffer {
    this.#value ??= this.memory.subarray(this.valueStart, this.valueEnd);
    return this.#value;
  }

  get timestamp(): number {
    return this.memory.readDoubleLE(this.#at + recordHeader.timestamp);
  }

  get headers(): readonly string[] {
    return this.#stored.read(this.#at + recordHeader.bytes, this.valueStart);
  }
}
