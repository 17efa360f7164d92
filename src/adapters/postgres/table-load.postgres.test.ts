import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPostgresMissing, openPostgresForTests, type PostgresForTests } from '../../../test/support/postgres.ts';
import { openTableHarness, type TableHarness } from '../../../test/support/table-harness.ts';
import type { Secret } from '../../config/secrets.ts';
import type { CsvContent } from '../../ports/csv-content.ts';

const waiting = { signal: new AbortController().signal };
const mebibyte = 1024 * 1024;
const columns = ['id', 'arrived', 'customer', 'ip', 'total', 'items'];
const rowsPerFile = 50_000;

/** A file of staging with six columns, some of them with quotes inside. */
async function writeSlice(path: string, slice: number): Promise<CsvContent> {
  const lines = function* (): Generator<string> {
    for (let at = 0; at < rowsPerFile; at += 500) {
      let chunk = '';
      for (let row = slice * rowsPerFile + at, end = row + 500; row < end; row += 1)
        chunk += `"${row}","2026-11-21T10:00:00.000Z","customer ${row % 977}","10.0.${row % 255}.1","${row * 7}","{""sku"":${row % 31}}"\n`;
      yield chunk;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
  const open = (): Promise<Readable> => Promise.reject(new Error('it has a path'));
  return { name: `slice ${slice}`, bytes: (await stat(path)).size, localPath: path, open };
}

describe.skipIf(await isPostgresMissing())('loading into PostgreSQL', () => {
  let server: PostgresForTests;
  let url: Secret;
  let harness: TableHarness;

  beforeAll(async () => {
    server = await openPostgresForTests();
    url = await server.createDatabase();
    harness = await openTableHarness(url);
  });
  afterAll(async () => {
    await harness[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** The same files into a plain table of the same columns: milliseconds. */
  const bareCopy = async (client: Client, table: string, slices: readonly CsvContent[]): Promise<number> => {
    const began = performance.now();
    await client.query('BEGIN');
    const target = client.query(copyFrom(`COPY ${table} FROM STDIN WITH (FORMAT csv)`));
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      for (const { localPath = '' } of slices) yield* createReadStream(localPath, { highWaterMark: 256 * 1024 });
    };
    await pipeline(Readable.from(bytes(), { highWaterMark: 1 }), target);
    await client.query('COMMIT');
    return performance.now() - began;
  };

  it('D8: 1 million rows are one import, in flat memory; its speed is printed beside that of a bare COPY', async () => {
    const slices = await Promise.all(
      Array.from({ length: 20 }, (_, at) => writeSlice(join(harness.tempDir, `${at}.csv`), at)),
    );
    await harness.store.createTable(harness.tableId, columns, waiting);
    await harness.store.createLedger(harness.incarnation, waiting);
    const importOf = async (number: number, rows: readonly CsvContent[]): Promise<number> => {
      const expected = { rows: rows.length * rowsPerFile, dead: 0 };
      const began = performance.now();
      expect(await harness.store.import(harness.request(number, [], { columns, rows, expected }), waiting)).toBe(
        'loaded',
      );
      return performance.now() - began;
    };
    const client = new Client({ connectionString: url.reveal() });
    await client.connect();
    await client.query(`CREATE TABLE bare (${columns.map((column) => `${column} text NOT NULL`).join(', ')})`);
    await importOf(1, slices.slice(0, 1));
    await bareCopy(client, 'bare', slices.slice(0, 1));
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    const first = await bareCopy(client, 'bare', slices);
    const imported = await importOf(2, slices);
    const second = await bareCopy(client, 'bare', slices);
    clearInterval(sampler);
    await client.end();
    const megabytes = slices.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    const bare = (first + second) / 2;
    process.stdout.write(
      `import of 1 million rows, ${megabytes.toFixed(0)} MB: ${imported.toFixed(0)} ms; a bare COPY ${bare.toFixed(0)} ms; ` +
        `ratio ${(bare / imported).toFixed(2)}; memory grew by ${((peak - before) / mebibyte).toFixed(0)} MiB\n`,
    );
    expect(await harness.store.describeTable(harness.tableId, waiting)).toMatchObject({ rows: 1_050_000 });
    const { rows } = await harness.store.preview(harness.tableId, { columns: ['id'], limit: 2 }, waiting);
    expect(rows).toEqual([['0'], ['1']]);
    expect(peak - before).toBeLessThan(100 * mebibyte);
  });
});
