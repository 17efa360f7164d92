import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  fileIn,
  importInto,
  importsIn,
  killedTables,
  logIn,
  openTablesIn,
  placed,
} from '../../../test/support/killed-tables.ts';
import type { KilledTables } from '../../../test/support/killed-tables.ts';
import { cutTornLogs, type CutLog } from './torn-log.ts';

let folder: string;
let tables: KilledTables;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-torn-log-'));
  tables = await killedTables(folder, 4);
});
afterEach(() => rmSync(folder, { recursive: true }));

function moduleOf(path: string): string {
  return JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);
}

/** The log with a hole of zeros. */
function withHole(from: number, bytes: number): Buffer {
  return Buffer.from(tables.log).fill(0, from, from + bytes);
}

it('L1: a hole behind the last synced entry is cut with what stands behind it, and told', async () => {
  const [, second = 0] = tables.ends;
  const place = placed(folder, 'torn', { ...tables, log: withHole(second, 512) });
  const cuts: CutLog[] = [];
  await using store = await openTablesIn(place, { onLogCut: (cut) => cuts.push(cut) });
  expect(cuts).toEqual([{ path: logIn(place), bytes: tables.log.length - second }]);
  expect(await importsIn(store)).toBe(2);
  expect(readdirSync(place).filter((name) => name.includes('without'))).toEqual([]);
});

it('L1: a log of which nothing is torn is not touched, nor told', async () => {
  const place = placed(folder, 'whole', tables);
  const cuts: CutLog[] = [];
  await using store = await openTablesIn(place, { onLogCut: (cut) => cuts.push(cut) });
  expect(cuts).toEqual([]);
  expect(readFileSync(logIn(place)).equals(tables.log)).toBe(true);
  expect(await importsIn(store)).toBe(4);
});

it('L1: the log that DuckDB writes beside a checkpoint is cut, too', async () => {
  const place = placed(folder, 'torn', tables);
  const beside = `${logIn(place)}.checkpoint`;
  appendFileSync(beside, withHole((tables.ends[2] ?? 0) + 16, 1000));
  expect(await cutTornLogs(fileIn(place))).toEqual([
    { path: beside, bytes: tables.log.length - (tables.ends[2] ?? 0) },
  ]);
  expect(statSync(beside).size).toBe(tables.ends[2]);
  expect(statSync(logIn(place)).size).toBe(tables.log.length);
});

it('L1, D2: the log of a process that lives is not cut by another one', async () => {
  const place = placed(folder, 'held', tables);
  await using _holder = await openTablesIn(place);
  appendFileSync(logIn(place), Buffer.alloc(1000));
  const config = JSON.stringify({ path: fileIn(place), tempDir: join(place, 'tmp'), threads: 1 });
  const program = `
    const { cutTornLogs } = await import(${moduleOf('torn-log.ts')});
    const { withoutLog } = await import(${moduleOf('attached.ts')});
    const { openTablesIn } = await import(${moduleOf('../../../test/support/killed-tables.ts')});
    const path = ${JSON.stringify(fileIn(place))};
    await withoutLog(${config}, 64 * 1024 ** 2, () => cutTornLogs(path)).catch((error) => console.log(error.message));
    await openTablesIn(${JSON.stringify(place)}).catch((error) => console.log(error.code));`;
  const other = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(String(other.stdout)).toMatch(/Could not set lock[^]*\ndata.locked\n$/);
  expect(statSync(logIn(place)).size).toBe(tables.log.length + 1000);
});

it('L1, D2, D3: a cut that takes an import which was answered is told by the ledger, and nothing is loaded twice', async () => {
  const [, second = 0] = tables.ends;
  const place = placed(folder, 'damaged', { ...tables, log: withHole(second + 100, 512) });
  await using store = await openTablesIn(place);
  await expect(importInto(store, place, 5)).rejects.toMatchObject({ code: 'table.ledgerMismatch' });
  expect(await importsIn(store)).toBe(2);
  for (const number of [2, 3, 3, 4]) expect(await importInto(store, place, number)).toBe('loaded');
  expect(await importsIn(store)).toBe(4);
});
