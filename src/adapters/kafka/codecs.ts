import { lz4Compress, lz4Decompress, snappyCompress, snappyDecompress } from '@platformatic/wasm-utils';
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { KafkaCompression } from './config.ts';

/** How Kafka numbers them in the attributes of a batch. */
const codecNumbers: Readonly<Record<KafkaCompression, number>> = { none: 0, gzip: 1, snappy: 2, lz4: 3, zstd: 4 };

/** Of its nine levels the others cost several times as much for a tenth of the bytes. */
const gzipLevel = 1;

/** Bytes, and the number of the codec that they are in. */
export interface Coded {
  readonly codec: number;
  readonly bytes: Uint8Array;
}

/** The records of a batch as they travel; as they are when the codec does not make them smaller. */
export function compress(compression: KafkaCompression, bytes: Buffer): Coded {
  const smaller = compressed(compression, bytes);
  return smaller.length < bytes.length
    ? { codec: codecNumbers[compression], bytes: smaller }
    : { codec: codecNumbers.none, bytes };
}

function compressed(compression: KafkaCompression, bytes: Buffer): Uint8Array {
  switch (compression) {
    case 'none':
      return bytes;
    case 'gzip':
      return gzipSync(bytes, { level: gzipLevel });
    case 'snappy':
      return snappyCompress(bytes);
    case 'lz4':
      return lz4Compress(bytes);
    case 'zstd':
      return zstdCompressSync(bytes);
    default:
      return compression satisfies never;
  }
}

/** A batch may not grow beyond this when it is decompressed (D8); lz4 alone cannot say before how much it will be. */
const maxDecompressedBytes = 256 * 1024 * 1024;

/** What xerial's Java library puts before chunks of snappy, as many clients do after it. */
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const xerialHeaderBytes = 16;

/** The records of a batch as they were before compression; throws for an unknown codec and for what cannot be decompressed. */
export function decompress(codec: number, bytes: Buffer): Buffer {
  switch (codec) {
    case 0:
      return bytes;
    case 1:
      return gunzipSync(bytes, { maxOutputLength: maxDecompressedBytes });
    case 2:
      return fromSnappy(bytes);
    case 3:
      return withReason('lz4', () => lz4Decompress(bytes));
    case 4:
      return zstdDecompressSync(bytes, { maxOutputLength: maxDecompressedBytes });
    default:
      throw new RangeError(`compression codec ${codec} is unknown`);
  }
}

function fromSnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, xerialMagic.length).equals(xerialMagic)) return fromSnappyBlock(bytes);
  const chunks: Buffer[] = [];
  let total = 0;
  for (let at = xerialHeaderBytes; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const chunk = fromSnappyBlock(bytes.subarray(at + 4, at + 4 + length));
    total += chunk.length;
    if (total > maxDecompressedBytes) throw tooLarge(total);
    chunks.push(chunk);
    at += 4 + length;
  }
  return Buffer.concat(chunks);
}

/** A block begins with its decompressed length, an unsigned varint. */
function fromSnappyBlock(block: Buffer): Buffer {
  let length = 0;
  for (const [index, byte] of block.subarray(0, 5).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) break;
  }
  if (length > maxDecompressedBytes) throw tooLarge(length);
  return withReason('snappy', () => snappyDecompress(block));
}

function tooLarge(bytes: number): RangeError {
  return new RangeError(`a batch has ${bytes} bytes decompressed, and at most ${maxDecompressedBytes} are taken`);
}

/** WebAssembly says no more than that it cannot go on. */
function withReason(codec: string, work: () => Buffer): Buffer {
  try {
    return work();
  } catch (cause) {
    throw new RangeError(`the bytes are not ${codec}`, { cause });
  }
}
