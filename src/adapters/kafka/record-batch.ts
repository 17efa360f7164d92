import { crc32c } from '@platformatic/wasm-utils';
import type { LogRecord, NewRecord } from '../../ports/event-log.ts';
import { compress, decompress } from './codecs.ts';
import { decompressedBytes, maxBatchBytes, type KafkaCompression } from './config.ts';
import { WireReader, WireWriter } from './wire.ts';

/** Who appends: the broker drops a batch whose sequence it has already, and refuses one that skips some. */
export interface BatchProducer {
  readonly id: bigint;
  readonly epoch: number;
  /** Number of the first record among all that this producer has written to the partition. */
  readonly sequence: number;
}

/** One batch of records, as the log keeps them. */
export interface DecodedBatch {
  readonly firstOffset: number;
  /** Also when compaction took the last records, or all of them. */
  readonly lastOffset: number;
  /** Of the leader that took it. */
  readonly epoch: number;
  readonly producerId: bigint;
  readonly isTransactional: boolean;
  /** A marker of a transaction, undefined for records. */
  readonly marker: 'commit' | 'abort' | undefined;
  readonly records: readonly LogRecord[];
}

/** Offset and length, which the checksum and the length leave out. */
const frameBytes = 12;
const headerBytes = 61;
const checksumAt = 17;
const checksummedFrom = 21;
const magic = 2;

const codecBits = 0b111;
const logAppendTimeBit = 0b1000;
const transactionalBit = 0b1_0000;
const controlBit = 0b10_0000;

export interface BatchCompression {
  readonly type: KafkaCompression;
  /** What is larger before it is compressed stays as it is: limits hold for what was appended, however small it would travel. */
  readonly upToBytes: number;
}

const asTheyAre: BatchCompression = { type: 'none', upToBytes: maxBatchBytes };

/** A batch of format 2. The records are there in their order, with headers as they are listed. */
export function encodeBatch(
  records: readonly NewRecord[],
  producer: BatchProducer,
  { type, upToBytes }: BatchCompression = asTheyAre,
): Buffer {
  const expected = records.reduce((sum, { value }) => sum + value.byteLength + 64, headerBytes);
  const writer = new WireWriter(expected);
  const first = records[0]?.timestamp ?? 0;
  const last = records.reduce((max, { timestamp }) => Math.max(max, timestamp), first);
  const [partitionLeaderEpoch, attributes] = [-1, 0];
  // The length and the checksum are known at the end.
  writer.int64(0).int32(0).int32(partitionLeaderEpoch).int8(magic).uint32(0).int16(attributes);
  writer
    .int32(records.length - 1)
    .int64(first)
    .int64(last);
  writer.bigint64(producer.id).int16(producer.epoch).int32(producer.sequence).int32(records.length);
  const scratch = new WireWriter();
  const shared = new SharedHeaders();
  for (const [index, record] of records.entries()) writeRecord(writer, scratch, { record, index, first, shared });
  const plain = writer.bytes();
  return sealed(type === 'none' || plain.length > upToBytes ? plain : compressedBatch(plain, type));
}

/** Only the records are compressed: what stands before them says how. */
function compressedBatch(plain: Buffer, type: KafkaCompression): Buffer {
  const { codec, bytes } = compress(type, plain.subarray(headerBytes));
  const batch = Buffer.concat([plain.subarray(0, headerBytes), bytes]);
  batch.writeInt16BE(codec, checksummedFrom);
  return batch;
}

/** With its length and its checksum. */
function sealed(batch: Buffer): Buffer {
  batch.writeInt32BE(batch.length - frameBytes, 8);
  batch.writeUInt32BE(crc32c(batch.subarray(checksummedFrom)), checksumAt);
  return batch;
}

interface Placed {
  readonly record: NewRecord;
  readonly index: number;
  readonly first: number;
  readonly shared: SharedHeaders;
}

const none: readonly string[] = [];

/** Headers as bytes, remembered for the list that came last. */
class SharedHeaders {
  #list = none;
  #bytes: Uint8Array = new Uint8Array();

  bytesOf(list: readonly string[]): Uint8Array {
    if (list !== this.#list) {
      const writer = new WireWriter();
      for (const text of list) writer.varintString(text);
      this.#list = list;
      this.#bytes = writer.bytes();
    }
    return this.#bytes;
  }
}

/** `scratch` takes what stands before and after the value, so that the value is copied once. */
function writeRecord(writer: WireWriter, scratch: WireWriter, { record, index, first, shared }: Placed): void {
  const { value, headers, sharedHeaders = none, timestamp } = record;
  const [attributes, nullKey] = [0, -1];
  scratch.clear();
  scratch
    .int8(attributes)
    .varint(timestamp - first)
    .varint(index)
    .varint(nullKey)
    .varint(value.byteLength);
  const beforeValue = scratch.length;
  scratch.varint((headers.length + sharedHeaders.length) / 2);
  for (const text of headers) scratch.varintString(text);
  if (sharedHeaders.length > 0) scratch.raw(shared.bytesOf(sharedHeaders));
  const around = scratch.bytes();
  writer.varint(around.length + value.byteLength);
  writer.raw(around.subarray(0, beforeValue)).raw(value).raw(around.subarray(beforeValue));
}

/**
 * The batches of a fetch, whole ones only: brokers cut the last one anywhere. Values are views of the bytes. It ends before the first
 * batch that has nothing left of what may be decompressed. Throws for a batch that is damaged or of a format before 2; `batches` then
 * holds what stands before it.
 */
export function decodeBatches(bytes: Buffer, batches: DecodedBatch[]): void {
  for (let [at, decompressed] = [0, 0]; bytes.length - at >= headerBytes && decompressed < decompressedBytes;) {
    const length = frameBytes + bytes.readInt32BE(at + 8);
    if (length < headerBytes) throw new RangeError(`a batch says that it has ${length} bytes`);
    if (bytes.length - at < length) return;
    const { batch, ownBytes } = decodeBatch(bytes.subarray(at, at + length));
    batches.push(batch);
    decompressed += ownBytes;
    at += length;
  }
}

/** With the memory that it takes beside the bytes. */
function decodeBatch(bytes: Buffer): { readonly batch: DecodedBatch; readonly ownBytes: number } {
  const reader = new WireReader(bytes);
  const firstOffset = reader.int64();
  reader.int32(); // length
  const epoch = reader.int32();
  const format = reader.int8();
  if (format !== magic) throw new RangeError(`the batch at offset ${firstOffset} has the old format ${format}`);
  if (reader.uint32() !== crc32c(bytes.subarray(checksummedFrom))) {
    throw new RangeError(`the batch at offset ${firstOffset} does not have the checksum that it names`);
  }
  const attributes = reader.int16();
  const lastOffset = firstOffset + reader.int32();
  const firstTimestamp = reader.int64();
  const lastTimestamp = reader.int64();
  const producerId = reader.bigint64();
  reader.int16(); // producer epoch
  reader.int32(); // sequence
  const count = reader.int32();
  const codec = attributes & codecBits;
  const recordBytes = decompress(codec, bytes.subarray(headerBytes));
  const body = new WireReader(recordBytes);
  const isControl = (attributes & controlBit) !== 0;
  const appended = (attributes & logAppendTimeBit) === 0 ? undefined : lastTimestamp;
  const start = { firstOffset, firstTimestamp, appended };
  const batch = {
    firstOffset,
    lastOffset,
    epoch,
    producerId,
    isTransactional: (attributes & transactionalBit) !== 0,
    marker: isControl ? readMarker(body, count) : undefined,
    records: isControl ? [] : readRecords(body, count, start),
  };
  return { batch, ownBytes: codec === 0 ? 0 : recordBytes.length };
}

interface BatchStart {
  readonly firstOffset: number;
  readonly firstTimestamp: number;
  /** The broker's time, where the topic keeps that instead of the producer's. */
  readonly appended: number | undefined;
}

/** A tombstone has an empty value; null values of headers are empty. */
function readRecords(reader: WireReader, count: number, start: BatchStart): readonly LogRecord[] {
  const { firstOffset, firstTimestamp, appended } = start;
  const alike = new AlikeHeaders(reader);
  const records: LogRecord[] = [];
  for (let left = count; left > 0; left -= 1) {
    const bytes = reader.varint();
    const end = reader.position + bytes;
    reader.int8(); // attributes
    const timestamp = firstTimestamp + reader.varint();
    const offset = firstOffset + reader.varint();
    reader.skip(Math.max(0, reader.varint())); // key
    const value = reader.varintBytes() ?? noValue;
    const place = { memory: value, valueStart: 0, valueEnd: value.length };
    records.push({ offset, timestamp: appended ?? timestamp, value, ...place, headers: alike.read(end) });
  }
  return records;
}

const noValue = Buffer.alloc(0);

/** Headers of record after record: many have the same ones, to the byte, and those are read once. */
class AlikeHeaders {
  readonly #reader: WireReader;
  #from = 0;
  #end = 0;
  #headers: readonly string[] = none;

  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  /** Those that begin where the reader is, of a record that ends at `end`. */
  read(end: number): readonly string[] {
    const reader = this.#reader;
    const from = reader.position;
    if (this.#end > this.#from && reader.areAlike(this.#from, this.#end, { from, end })) reader.skip(end - from);
    else {
      this.#headers = readHeaders(reader);
      this.#from = from;
      this.#end = reader.position;
    }
    return this.#headers;
  }
}

function readHeaders(reader: WireReader): readonly string[] {
  const headers: string[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) headers.push(reader.varintText(), reader.varintText());
  return headers;
}

/** Key of the one record of a marker: version, then type. Compaction may have left none. */
function readMarker(reader: WireReader, count: number): 'commit' | 'abort' {
  if (count === 0) return 'commit';
  reader.varint(); // length
  reader.int8(); // attributes
  reader.varint(); // timestamp
  reader.varint(); // offset
  const key = reader.varintBytes();
  return key !== undefined && key.length >= 4 && key.readInt16BE(2) === 0 ? 'abort' : 'commit';
}

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: number;
}

/** Records that are no part of an aborted transaction, in ascending offsets. */
export function committedRecords(
  batches: readonly DecodedBatch[],
  aborted: readonly AbortedTransaction[],
): readonly LogRecord[] {
  const ahead = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const open = new Set<bigint>();
  return batches.flatMap(({ lastOffset, producerId, isTransactional, marker, records }) => {
    for (let next = ahead[0]; next !== undefined && next.firstOffset <= lastOffset; next = ahead[0]) {
      open.add(next.producerId);
      ahead.shift();
    }
    if (marker === 'abort') open.delete(producerId);
    return isTransactional && open.has(producerId) ? [] : records;
  });
}
