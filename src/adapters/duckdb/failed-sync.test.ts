import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PowerSupply, whyNoPowerCuts } from '../../../test/chaos/power/power-supply.ts';
import { FailingDisk } from '../../../test/support/failing-disk.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseTableId } from '../../core/table-id.ts';
import { openDuckDbTableStore } from './table-store.ts';

const program = join(import.meta.dirname, '../../../test/support/import-until-killed.ts');
const waiting = { signal: new AbortController().signal };
const mebibyte = 1024 * 1024;
const disk = whyNoPowerCuts() === undefined ? FailingDisk.build() : undefined;

let folder: string;
let power: PowerSupply;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-failed-sync-'));
  for (const name of ['data', 'work']) await mkdir(join(folder, name));
  power = new PowerSupply(join(folder, 'data'), join(folder, 'work'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Imports until a sync of a file has failed, a little further, and then kills the process; gives the last number that was acknowledged. */
async function importedPast(path: string, nth: number): Promise<number> {
  const env = { ...process.env, ...power.environmentWith(disk?.env) };
  const child = spawn(process.execPath, [program, join(folder, 'data')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let last = 0;
  let further = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last === 5) disk?.fail('sync', path, nth);
    if (last > 5 && disk?.hasFailed === true && (further += 1) === 3) child.kill('SIGKILL');
  }
  expect((await exit)[1]).toBe('SIGKILL');
  return last;
}

/** The file has the rows of all imports up to some number, which is not below `acknowledged`, and of no other. */
async function expectRows(acknowledged: number): Promise<void> {
  await using store = await openDuckDbTableStore({
    path: join(folder, 'data', 'tables.duckdb'),
    threads: 1,
    memoryLimitBytes: 64 * mebibyte,
    memoryCeilingBytes: 256 * mebibyte,
    tempDir: join(folder, 'tmp'),
  });
  const ledger = await store.readLedger(parseIncarnation(1), waiting);
  const table = await store.describeTable(parseTableId('in.c-shop.orders'), waiting);
  const numbers = Array.from({ length: ledger?.number ?? 0 }, (_, at) => at + 1);
  expect(ledger?.number).toBeGreaterThanOrEqual(acknowledged);
  expect(table?.rows).toBe(numbers.reduce((rows, number) => rows + ((number * 311) % 1500) + 1, 0));
}

describe.skipIf(disk === undefined)('a cut of the power', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  it.each([
    ['the blocks of the table file', 'data/tables.duckdb$', 1],
    ['the head of the table file', 'data/tables.duckdb$', 2],
    ['the log of the table file', 'data/tables.duckdb.wal$', 1],
    ['the folder of a log that is made anew', '/data$', 2],
  ] as const)(
    'L1, D2, D3: after one sync that failed loses and doubles nothing that was imported: of %s',
    async (_of, path, nth) => {
      const acknowledged = await importedPast(path, nth);
      power.cut(() => 0);
      await expectRows(acknowledged);
    },
  );
});
