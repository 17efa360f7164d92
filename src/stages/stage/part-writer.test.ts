import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crc32Checksum } from '../../core/checksum.ts';
import { limits } from '../../core/limits.ts';
import { LineBlocks } from './line-blocks.ts';
import { PartWriter } from './part-writer.ts';

let folder: string;
let path: string;
let part: PartWriter;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-part-'));
  path = join(folder, 'part.csv');
  part = new PartWriter(path, new LineBlocks(0));
});

afterEach(async () => {
  part.discard();
  await rm(folder, { recursive: true });
});

const line = (bytes: number): Buffer => Buffer.from(`${'x'.repeat(bytes - 1)}\n`);
const checksumOf = (bytes: Buffer): string => crc32Checksum(crc32(bytes));

it.each([
  ['nothing', []],
  ['lines in memory', [100, 5000, 100_000]],
  ['lines that fill a chunk', [100, 262_144, 1, 262_044, 100]],
  ['lines longer than a chunk', [1000, 700_000, 300, 1_000_000, 5]],
])('D2: the checksum is that of all lines, however they came to the file: %s', async (_, sizes) => {
  const taken: Buffer[] = [];
  for (const size of sizes) {
    const bytes = Buffer.concat([Buffer.from('head'), line(size)]);
    part.append(bytes, 4);
    taken.push(bytes.subarray(4));
    expect(part.checksum).toBe(checksumOf(Buffer.concat(taken)));
  }
  const content = part.content();
  const bytes = content.kind === 'file' ? await readFile(content.path) : Buffer.from(content.bytes);
  expect(bytes.equals(Buffer.concat(taken))).toBe(true);
  expect(part.checksum).toBe(checksumOf(bytes));
  expect(part.bytes).toBe(bytes.length);
});

it('D2: a local file that is altered under the hands of the writer keeps the checksum of what was taken', async () => {
  const taken = line(600_000);
  part.append(taken);
  part.content();
  await writeFile(path, line(500_000));
  expect(part.content()).toEqual({ kind: 'file', path });
  expect(part.checksum).toBe(checksumOf(taken));
});

it.each([
  ['one bit', (bytes: Buffer) => bytes.fill(bytes.readUInt8(300_000) ^ 1, 300_000, 300_001)],
  ['its last byte', (bytes: Buffer) => bytes.fill(0, bytes.length - 1)],
  ['its end', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['what follows', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
])('D2: a local file that is altered under the hands of the writer is found out: %s', async (_, alter) => {
  const never = { signal: new AbortController().signal };
  part.append(line(600_000));
  part.append(line(100));
  part.content();
  await expect(part.check(never)).resolves.toBeUndefined();
  await writeFile(path, alter(await readFile(path)));
  await expect(part.check(never)).rejects.toMatchObject({ code: 'stage.altered' });
});

const never = { signal: new AbortController().signal };

it.each([
  ['in memory', [100, 5000, 100_000]],
  ['in a file', [1000, 700_000, 300, 1_000_000, 5]],
  ['in a file that is too large for memory', [1000, 700_000, 9_000_000, 5]],
])('the lines compressed are the lines, and no file is left: %s', async (_, sizes) => {
  for (const size of sizes) part.append(line(size));
  const content = await part.gzipped(1, never);
  const bytes = content.kind === 'file' ? await readFile(content.path) : content.bytes;
  expect(bytes.length).toBeLessThan(part.bytes);
  const lines = gunzipSync(bytes);
  expect([lines.length, checksumOf(lines)]).toEqual([part.bytes, part.checksum]);
  await expect(part.check(never)).resolves.toBeUndefined();
  part.discard();
  expect(await readdir(folder)).toEqual([]);
});

it.each([600_000, 9_000_000])(
  'D2: a local file that is altered before it is compressed is found out: %i bytes',
  async (size) => {
    part.append(line(size));
    part.content();
    await writeFile(path, line(size).fill('7', 5, 6));
    await expect(part.gzipped(1, never)).rejects.toMatchObject({ code: 'stage.altered' });
    part.discard();
    expect(await readdir(folder)).toEqual([]);
  },
);

it('D2: a compressed file that is altered under the hands of the writer is found out', async () => {
  part.append(line(9_000_000));
  const content = await part.gzipped(1, never);
  const zipped = content.kind === 'file' ? content.path : '';
  const bytes = await readFile(zipped);
  await writeFile(zipped, bytes.fill(bytes.readUInt8(100) ^ 1, 100, 101));
  await expect(part.check(never)).rejects.toMatchObject({ code: 'stage.altered' });
});

it('what is compressed in memory needs its local file no more', async () => {
  part.append(line(600_000));
  const content = await part.gzipped(1, never);
  await writeFile(path, line(10));
  await expect(part.check(never)).resolves.toBeUndefined();
  expect(content.kind === 'bytes' && gunzipSync(content.bytes).equals(line(600_000))).toBe(true);
});

it('a part that was discarded begins anew', () => {
  part.append(line(600_000));
  part.discard();
  part.append(line(10));
  expect(part.checksum).toBe(checksumOf(line(10)));
});

describe('with blocks of memory', () => {
  let blocks: LineBlocks;

  beforeEach(() => {
    blocks = new LineBlocks(1);
    part = new PartWriter(path, blocks);
  });

  it('lines stay in memory up to a block, and go to the file from there on', async () => {
    const [lines, last] = [line(limits.lineBlockBytes - 100), line(200)];
    for (let at = 0; at < lines.length; at += 1000) part.append(lines, at, Math.min(at + 1000, lines.length));
    const inMemory = part.content();
    expect(inMemory.kind === 'bytes' && lines.equals(inMemory.bytes)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
    part.append(last);
    expect(part.content()).toEqual({ kind: 'file', path });
    expect(Buffer.concat([lines, last]).equals(await readFile(path))).toBe(true);
    expect([part.bytes, part.checksum]).toEqual([lines.length + 200, checksumOf(Buffer.concat([lines, last]))]);
  });

  it('D8: who gets no block has a file; the next one has it again, once it was put', async () => {
    const other = new PartWriter(join(folder, 'other.csv'), blocks);
    part.append(line(600_000));
    other.append(line(600_000));
    expect([part.content().kind, other.content().kind]).toEqual(['bytes', 'file']);
    await part.check(never);
    part.discard();
    other.discard();
    other.append(line(600_000));
    expect(other.content().kind).toBe('bytes');
    other.discard();
  });

  it('D2: a block whose upload did not end well is written by nobody else: somebody may still read it', async () => {
    part.append(line(600_000));
    const content = part.content();
    part.discard();
    part.append(Buffer.alloc(600_000, 'y'));
    expect(content.kind === 'bytes' && line(600_000).equals(content.bytes)).toBe(true);
  });

  it('the lines of a block compressed are the lines', async () => {
    part.append(line(600_000));
    const content = await part.gzipped(1, never);
    expect(content.kind === 'bytes' && line(600_000).equals(gunzipSync(content.bytes))).toBe(true);
  });
});
