import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killedTables } from '../../../test/support/killed-tables.ts';
import { wholeBytesOf } from './whole-log.ts';

let folder: string;
let log: Buffer;
/** Where an entry begins, or the log ends. */
let boundaries: readonly number[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-whole-log-'));
  ({ log } = await killedTables(folder, 8));
  const found = [log.indexOf(Buffer.from('ffff', 'hex')) + 2];
  for (let at = found[0] ?? 0; at < log.length; found.push(at)) at += 16 + Number(log.readBigUInt64LE(at));
  boundaries = found;
});
afterAll(() => rmSync(folder, { recursive: true }));

function wholeOf(bytes: Buffer): number {
  const path = join(folder, 'some.wal');
  writeFileSync(path, bytes);
  return wholeBytesOf(path);
}

describe('of a log that DuckDB wrote', () => {
  it('L1: all entries are whole, with any number of bytes behind the last word', () => {
    const sizes = boundaries.slice(1).map((end, at) => end - (boundaries[at] ?? 0));
    expect(new Set(sizes.map((size) => size % 8)).size).toBe(8);
    expect(wholeOf(log)).toBe(log.length);
  });

  it('L1: all is whole to the begin of the entry of which one bit is another', () => {
    for (let at = boundaries[0] ?? 0; at < log.length; at += 67) {
      const bytes = Buffer.from(log);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      expect(wholeOf(bytes)).toBe(boundaries.findLast((boundary) => boundary <= at));
    }
  });

  it('L1: an entry that is longer than what is read at once is whole, or is not', () => {
    const entries = log.subarray(boundaries[0]);
    const words = Buffer.alloc(3 * 1024 * 1024 + 5, entries);
    const long = Buffer.concat([log.subarray(0, boundaries[0]), entryOf(words)]);
    expect(wholeOf(long)).toBe(long.length);
    long[2_500_000] = (long[2_500_000] ?? 0) ^ 1;
    expect(wholeOf(long)).toBe(boundaries[0]);
  });

  it('L1: nothing is whole without a whole head, and all of a version that is not known', () => {
    for (let at = 0; at < (boundaries[0] ?? 0); at += 1) {
      expect(wholeOf(log.subarray(0, at))).toBe(0);
      expect(wholeOf(Buffer.concat([log.subarray(0, at), Buffer.alloc(500), log.subarray(at + 500)]))).toBe(0);
    }
    const bytes = Buffer.from(log);
    bytes[5] = 3;
    expect(wholeOf(bytes)).toBe(log.length);
  });
});

/** With a checksum that is reckoned another way: by words of 64 bits. */
function entryOf(payload: Buffer): Buffer {
  const head = Buffer.alloc(16);
  let checksum = 5381n;
  const rest = payload.length % 8;
  for (let at = 0; at < payload.length - rest; at += 8)
    checksum ^= BigInt.asUintN(64, payload.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  const mix = 0xc6a4a7935bd1e995n;
  let tail = 0xe17a1465n ^ BigInt.asUintN(64, BigInt(rest) * mix);
  for (let at = 0; at < rest; at += 1) tail ^= BigInt(payload[payload.length - rest + at] ?? 0) << BigInt(8 * at);
  for (let round = 0; round < 2; round += 1) {
    tail = BigInt.asUintN(64, tail * mix);
    tail ^= tail >> 47n;
  }
  head.writeBigUInt64LE(BigInt(payload.length));
  head.writeBigUInt64LE(checksum ^ tail, 8);
  return Buffer.concat([head, payload]);
}
