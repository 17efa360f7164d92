import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32Checksum } from '../../core/checksum.ts';
import { digestOfTable, spoolTable } from './table-pieces.ts';

const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', ',', 'é', '\r'), maxLength: 6 });

function lineOf(cells: readonly string[]): string {
  return `${cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`;
}

test('M3: a table is cut at the ends of its rows, whatever is in the cells and however it arrives', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pieces-'));
  const path = join(folder, 'table.csv');
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 }), async (all, most, step) => {
      const lines = all.map(lineOf);
      const bytes = Buffer.from(lineOf(['he\n"ad', 'er']) + lines.join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
        bytes.subarray(at * step, (at + 1) * step),
      );
      const spooled = await spoolTable(Readable.from(chunks), path, most);
      const written = await readFile(path);
      expect(written.toString()).toBe(lines.join(''));
      const pieces = spooled.pieces.map((piece) => written.subarray(piece.start, piece.start + piece.bytes));
      expect(Buffer.concat(pieces).equals(written)).toBe(true);
      let seen = 0;
      for (const [at, { rows: count, checksum }] of spooled.pieces.entries()) {
        const own = lines.slice(seen, seen + count).join('');
        expect(pieces[at]?.toString()).toBe(own);
        expect(checksum).toBe(crc32Checksum(crc32(own)));
        seen += count;
      }
      expect({ rows: spooled.rows, seen }).toEqual({ rows: lines.length, seen: lines.length });
      const whole = { rows: lines.length, digest: spooled.digest };
      expect(await digestOfTable(Readable.from([bytes]))).toEqual(whole);
      const turned = Buffer.from(`"a"\n${lines.toReversed().join('')}`);
      expect(await digestOfTable(Readable.from([turned]))).toEqual(whole);
      const other = Buffer.from(`"a"\n${lines.slice(1).join('')}"one more"\n`);
      expect((await digestOfTable(Readable.from([other]))).digest).not.toBe(whole.digest);
    }),
    { numRuns: 200 },
  );
  await rm(folder, { recursive: true });
});
