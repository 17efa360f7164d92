import { MillraceError } from '../../../core/millrace-error.ts';
import type { LogRecord, NewRecord, RecordRun } from '../../../ports/event-log.ts';
import { mostJsonBytes, writeJsonTexts } from './json-texts.ts';
import { alikeHeader, StoredHeaders } from './stored-headers.ts';

/**
 * A stored batch: one byte of format, three unused, the number of records, the bytes of all batches before it in the
 * partition; then the records, at dense offsets. All numbers are little endian.
 */
const batchFormats = { plain: 1, alike: 2 } as const;
const batchHeader = { format: 0, count: 4, bytesBefore: 8, bytes: 16 } as const;

/** A record: its timestamp, the lengths of headers and value, then both. Headers are a JSON array, or nothing when empty. */
const recordHeader = { timestamp: 0, headers: 8, value: 12, bytes: 16 } as const;

/**
 * Added to the length of headers that are those of an earlier record of the batch, but for the value of the first: where those begin and
 * end in the batch, then the value, as Latin-1. Only batches of the format `alike` have such records.
 */
const alike = 2 ** 31;

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

/** Where the headers of a record lie in its batch. */
interface HeaderPlace {
  readonly start: number;
  readonly end: number;
}

/** Bytes of the value of a record of a run. */
export function valueLength({ bounds }: RecordRun, at: number): number {
  return (bounds[2 * at + 1] ?? 0) - (bounds[2 * at] ?? 0);
}

function recordOf(run: RecordRun, at: number): NewRecord {
  const { memory, bounds, firstHeader, sharedHeaders, timestamp } = run;
  const { name, values, valueBytes } = firstHeader;
  const id = values.toString('latin1', at * valueBytes, (at + 1) * valueBytes);
  return { value: memory.subarray(bounds[2 * at], bounds[2 * at + 1]), headers: [name, id], sharedHeaders, timestamp };
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
    this.#arena.writeUInt32LE(batchFormats.plain, this.#start + batchHeader.format);
    this.#arena.writeDoubleLE(bytesBefore, this.#start + batchHeader.bytesBefore);
    this.#position += batchHeader.bytes;
  }

  /** Answers where the record's headers are. */
  add(record: NewRecord): HeaderPlace {
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
    return { start: headersStart - this.#start, end: headersStart + headersBytes - this.#start };
  }

  /**
   * Adds records of a run from one on, until the next would make the batch larger than `most` bytes, and one at least; answers which is
   * next. The first has its headers as `add` writes them, the others those of the first, and a value of their own for the first of these.
   */
  addRun(run: RecordRun, from: number, most: number): number {
    const headers = this.add(recordOf(run, from));
    let next = from + 1;
    for (; next < run.length && this.size + valueLength(run, next) <= most; next += 1)
      this.#addAlike(run, next, headers);
    if (next > from + 1) this.#arena.writeUInt32LE(batchFormats.alike, this.#start + batchHeader.format);
    return next;
  }

  #addAlike(run: RecordRun, index: number, { start, end }: HeaderPlace): void {
    const { memory, bounds, firstHeader, timestamp } = run;
    const { values, valueBytes: idBytes } = firstHeader;
    const [from, to] = [bounds[2 * index] ?? 0, bounds[2 * index + 1] ?? 0];
    const headersBytes = alikeHeader.bytes + idBytes;
    this.#reserve(recordHeader.bytes + headersBytes + to - from);
    const [arena, view] = [this.#arena, this.#view];
    const at = this.#position;
    const headersStart = at + recordHeader.bytes;
    view.setFloat64(at + recordHeader.timestamp, timestamp, true);
    view.setUint32(at + recordHeader.headers, alike + headersBytes, true);
    view.setUint32(at + recordHeader.value, to - from, true);
    view.setUint32(headersStart + alikeHeader.start, start, true);
    view.setUint32(headersStart + alikeHeader.end, end, true);
    const idStart = headersStart + alikeHeader.bytes;
    // A loop is quicker than a call for so few bytes.
    for (let byte = 0; byte < idBytes; byte += 1) arena[idStart + byte] = values[index * idBytes + byte] ?? 0;
    memory.copy(arena, headersStart + headersBytes, from, to);
    this.#position = headersStart + headersBytes + to - from;
    this.#count += 1;
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

function isKnown(format: number): boolean {
  return format === batchFormats.plain || format === batchFormats.alike;
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
  /** Of the headers that it has of another record. */
  #alikeBytes = 0;

  constructor(batch: Buffer, base: number) {
    if (batch.length < batchHeader.bytes || !isKnown(batch.readUInt8(batchHeader.format))) {
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

  /** Bytes that the present record takes for who reads it: headers of another record count as its own (D8). */
  get size(): number {
    return this.#storedBytes + this.#alikeBytes;
  }

  get #storedBytes(): number {
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
    this.#position += this.#storedBytes;
    this.#offset += 1;
    this.#look();
  }

  #look(): void {
    if (this.done) return;
    const headers = this.#view.getUint32(this.#position + recordHeader.headers, true);
    this.#headersBytes = headers & (alike - 1);
    this.#alikeBytes = headers < alike ? 0 : this.#alikeLength();
    this.#valueBytes = this.#view.getUint32(this.#position + recordHeader.value, true);
  }

  #alikeLength(): number {
    const at = this.#position + recordHeader.bytes;
    const start = this.#view.getUint32(at + alikeHeader.start, true);
    return Math.max(0, this.#view.getUint32(at + alikeHeader.end, true) - start);
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
    const start = this.#at + recordHeader.bytes;
    const areAlike = this.memory.readUInt32LE(this.#at + recordHeader.headers) >= alike;
    return areAlike ? this.#stored.readAlike(start, this.valueStart) : this.#stored.read(start, this.valueStart);
  }
}
