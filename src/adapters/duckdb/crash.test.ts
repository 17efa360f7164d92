import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canTraceSystemCalls, systemCallsOf } from '../../../test/support/system-calls.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseTableId } from '../../core/table-id.ts';
import { openDuckDbTableStore } from './table-store.ts';

const program = join(import.meta.dirname, '../../../test/support/import-until-killed.ts');
const loading = join(import.meta.dirname, '../../../test/support/load-until-killed.ts');
const waiting = { signal: new AbortController().signal };
const mebibyte = 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-crash-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a program until it has printed `lines` numbers and some microseconds more; gives the last number. */
async function killedAfter(lines: number, running = program): Promise<number> {
  const child = spawn(process.execPath, [running, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let last = 0;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    count += 1;
    if (count === lines) setTimeout(() => child.kill('SIGKILL'), (lines * 7) % 40);
  }
  expect((await exit)[1]).toBe('SIGKILL');
  return last;
}

it('D2, D3: after kill -9 between and within imports and checkpoints, rows and ledger agree', async () => {
  for (const lines of [1, 3, 8, 21, 30]) {
    const acknowledged = await killedAfter(lines);
    await using store = await openDuckDbTableStore({
      path: join(folder, 'tables.duckdb'),
      threads: 1,
      memoryLimitBytes: 64 * mebibyte,
      memoryCeilingBytes: 256 * mebibyte,
      tempDir: join(folder, 'tmp'),
    });
    const ledger = await store.readLedger(parseIncarnation(1), waiting);
    const { rows } = await store.preview(
      parseTableId('in.c-shop.orders'),
      { columns: ['number'], limit: 1_000_000 },
      waiting,
    );
    const counts = new Map<number, number>();
    for (const [number] of rows) counts.set(Number(number), (counts.get(Number(number)) ?? 0) + 1);
    const wanted = Array.from({ length: ledger?.number ?? -1 }, (_, at) => [at + 1, (((at + 1) * 311) % 1500) + 1]);
    expect(ledger?.number).toBeGreaterThanOrEqual(acknowledged);
    expect([...counts]).toEqual(wanted);
  }
});

it('D2, D3: after kill -9 between and within loads of tables, each is there whole and once, or not at all', async () => {
  for (const lines of [1, 4, 9, 22]) {
    const acknowledged = await killedAfter(lines, loading);
    await using store = await openDuckDbTableStore({
      path: join(folder, 'tables.duckdb'),
      threads: 1,
      memoryLimitBytes: 64 * mebibyte,
      memoryCeilingBytes: 256 * mebibyte,
      tempDir: join(folder, 'tmp'),
    });
    const counts = new Map<number, number>();
    const last = new Map<number, number>();
    const verdicts: (string | undefined)[] = [];
    for (let number = 1; ; number += 1) {
      const row = await store.readLoad(`job/${number}`, waiting);
      verdicts.push(row?.verdict);
      if (row === undefined) break;
      if (row.verdict !== 'loaded') continue;
      expect(row.note).toBe(JSON.stringify({ number }));
      counts.set(number, ((number * 311) % 1500) + 1);
      last.delete(number % 7);
      last.set(number % 7, number);
    }
    const ends = Array.from({ length: acknowledged }, (_, at) => ((at + 1) % 5 === 0 ? 'abandoned' : 'loaded'));
    expect(verdicts.slice(0, acknowledged)).toEqual(ends);
    const found = new Map<number, number>();
    const orders = await store.preview(parseTableId('in.c-shop.orders'), { columns: ['number'], limit: 1e6 }, waiting);
    for (const [number] of orders.rows) found.set(Number(number), (found.get(Number(number)) ?? 0) + 1);
    expect([...found]).toEqual([...counts]);
    const lasts = await store.preview(parseTableId('in.c-shop.last'), { limit: 100 }, waiting);
    expect(lasts.rows).toEqual([...last].map(([key, number]) => [`${key}`, `${number}`]));
  }
});

it('D2: an import is synced, with the entries on the way to it, before its answer, after a checkpoint too', async ({
  skip,
}) => {
  if (!canTraceSystemCalls()) skip('strace is not installed');
  const made = join(folder, 'made');
  await mkdir(made);
  const calls = await systemCallsOf([program, made, '140'], 'openat,unlink,write,pwrite64,fsync,fdatasync');
  const log = join(made, 'tables.duckdb.wal');
  let logs = 0;
  let entryChanged = 0;
  let entrySynced = -1;
  let unsyncedWrites = 0;
  const answers: { readonly number: string; readonly entry: boolean; readonly unsyncedWrites: number }[] = [];
  for (const { name, text, began, ended } of calls) {
    const isSync = /^f(data)?sync$/.test(name);
    const number = /"([0-9]+)\\n"/.exec(text)?.[1];
    if (name === 'openat' && text.includes(`"${log}"`) && text.includes('O_CREAT'))
      [logs, entryChanged] = [logs + 1, ended];
    else if (name === 'unlink' && text.includes(`"${log}"`)) entryChanged = ended;
    else if (isSync && text.includes(`<${made}>`)) entrySynced = began;
    else if (isSync && text.includes(`<${log}>`)) unsyncedWrites = 0;
    else if (name.includes('write') && text.includes(`<${log}>`)) unsyncedWrites += 1;
    else if (name === 'write' && text.includes('write(1<') && number !== undefined)
      answers.push({ number, entry: entrySynced > entryChanged, unsyncedWrites });
  }
  expect(logs).toBeGreaterThan(1);
  expect(answers).toEqual(answers.map(({ number }) => ({ number, entry: true, unsyncedWrites: 0 })));
  expect(answers).toHaveLength(140);
  const syncedFolders = calls.filter(({ name, text }) => name === 'fsync' && text.includes(`<${folder}>`));
  expect(syncedFolders.length).toBeGreaterThan(0);
});
