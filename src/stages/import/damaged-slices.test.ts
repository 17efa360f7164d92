import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csvOf, ImportHarness } from '../../../test/support/import-harness.ts';
import { openDuckDbTableStore } from '../../adapters/duckdb/table-store.ts';
import { SinkImporter } from './sink-importer.ts';

const never = { signal: new AbortController().signal };

let sink: ImportHarness;

beforeEach(async () => {
  sink = await ImportHarness.open(5);
});

afterEach(async () => {
  await sink[Symbol.asyncDispose]();
});

describe('a slice that is damaged', () => {
  it('D6: of five staged slices, one truncated, four are loaded, and one is parked with an alarm', async () => {
    await truncate(await sink.pathOf(2), 0);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(4);
    expect(await sink.progress()).toMatchObject({
      staged: [],
      totals: { 0: { rows: 4, givenUp: 0 } },
      parked: [{ id: '2', damage: { code: 'table.invalidContent' }, failing: { code: 'table.invalidContent' } }],
    });
    expect(await sink.alarm()).toMatchObject({ role: 'import', code: 'table.invalidContent', attempts: 1 });
  });

  it('D6: whose object is gone is parked alone, too', async () => {
    const path = await sink.pathOf(4);
    await rename(path, `${path}.away`);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(4);
    expect((await sink.progress()).parked).toMatchObject([{ id: '4', damage: { code: 'objects.notFound' } }]);
  });

  it('D6: is tried again alone on a clock of its own, and comes back by itself when its object is whole again', async () => {
    const path = await sink.pathOf(2);
    await truncate(path, 0);
    await sink.workWhileDue();
    sink.clock.advance(5000);
    await sink.workWhileDue();
    expect(await sink.alarm()).toMatchObject({ attempts: 2 });
    await writeFile(path, csvOf(2));
    sink.clock.advance(9999);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(4);
    sink.clock.advance(1);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(5);
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 5 } } });
    expect(await sink.alarm()).toBeUndefined();
  });

  it('D6: holds up none of the slices that are staged after it', async () => {
    await truncate(await sink.pathOf(0), 0);
    await sink.workWhileDue();
    await sink.stage(5);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(5);
    expect((await sink.progress()).parked).toHaveLength(1);
  });

  it('D6: several of them wait for their next tries behind what is due otherwise', async () => {
    for (const index of [0, 1, 2]) await truncate(await sink.pathOf(index), 0);
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(2);
    sink.clock.advance(5000);
    await sink.stage(5);
    const rounds: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await sink.importer.work(never);
      rounds.push(await sink.rows());
    }
    expect(rounds).toEqual([2, 3]);
  });

  it('D6: is tried at most once before what is whole is imported, however many wait for their next try', async () => {
    const many = Array.from({ length: 40 }, (_, index) => index + 5);
    for (const index of many) await sink.stage(index);
    for (const index of many) await truncate(await sink.pathOf(index), 0);
    await sink.workWhileDue();
    expect((await sink.progress()).parked).toHaveLength(many.length);
    sink.restart();
    for (let index = 100; index < 110; index += 1) {
      await sink.stage(index);
      const before = await sink.rows();
      await sink.importer.work(never);
      await sink.importer.work(never);
      expect(await sink.rows()).toBe(before + 1);
    }
  });

  it('D6: is sought by halves, which a process that is killed on the way does not begin anew', async () => {
    await truncate(await sink.pathOf(3), 0);
    await sink.importer.work(never);
    const marked = (await sink.progress()).staged;
    expect(marked.map(({ together }) => together)).toEqual([3, 3, 3, 3, 3]);
    sink.restart();
    await sink.importer.work(never);
    expect(await sink.rows()).toBe(3);
    sink.restart();
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(4);
    expect((await sink.progress()).parked).toMatchObject([{ id: '3' }]);
  });

  it('D6: whose sink another process imports for is told by that one only', async () => {
    await truncate(await sink.pathOf(1), 0);
    await sink.workWhileDue();
    expect(await sink.alarm()).toMatchObject({ code: 'table.invalidContent' });
    sink.importer.leave();
    expect(await sink.alarm()).toBeUndefined();
  });

  it('D6: whose sink is changed is tried at once', async () => {
    const path = await sink.pathOf(1);
    await truncate(path, 0);
    await sink.workWhileDue();
    await writeFile(path, csvOf(1));
    sink.importer.hurry();
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(5);
  });
});

describe('a slice whose object cannot be read', () => {
  /** A read at the beginning of this file is an input or output error. */
  const breakObject = async (index: number): Promise<void> => {
    const path = await sink.pathOf(index);
    await rm(path);
    await symlink('/proc/self/mem', path);
  };
  const work = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 15_000) {
      await sink.workWhileDue();
      sink.run(15_000);
    }
  };

  it('D6: of five staged slices, four are loaded, and one waits aside with an alarm', async () => {
    await breakObject(2);
    await work(10 * 60_000);
    expect(await sink.rows()).toBe(4);
    expect((await sink.progress()).parked).toMatchObject([{ id: '2', damage: { code: 'objects.unavailable' } }]);
    expect(await sink.alarm()).toMatchObject({ role: 'import', code: 'objects.unavailable' });
  });

  it('D6: is loaded once it can be read again', async () => {
    await breakObject(2);
    await work(10 * 60_000);
    const path = await sink.pathOf(2);
    await rm(path);
    await writeFile(path, csvOf(2));
    await work(16 * 60_000);
    expect(await sink.rows()).toBe(5);
    expect(await sink.alarm()).toBeUndefined();
  });

  it('D2, D6: is never given up, because it may be whole: no time of its failure is counted', async () => {
    await breakObject(2);
    await work(3_600_000);
    const { parked } = await sink.progress();
    expect(parked).toHaveLength(1);
    expect(parked[0]).not.toHaveProperty('failing');
  });

  it('D6: while the whole store is away nothing is parked, and the import goes on afterwards as it was', async () => {
    await breakObject(2);
    sink.ownership.isOurs = () => Promise.resolve(false);
    await work(3_600_000);
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], importing: { number: 1 } });
  });
});

describe('an import that needs more memory than the table store has', () => {
  it('D6: is tried by halves, and all of its slices are loaded', async () => {
    const small = { threads: 1, memoryLimitBytes: 64 * 1024 ** 2, memoryCeilingBytes: 64 * 1024 ** 2 };
    const folder = await mkdtemp(join(tmpdir(), 'millrace-memory-'));
    try {
      const file = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp') };
      await using tables = await openDuckDbTableStore({ ...file, ...small });
      await tables.createTable(sink.tableId, ['body'], never);
      await tables.createLedger(sink.incarnation, never);
      for (let index = 5; index < 13; index += 1) await sink.stage(index, Array.from({ length: 10 }, longRow));
      const importer = new SinkImporter({ ...sink.options, tables, ledger: tables }, sink.incarnation);
      for (let round = 0; round < 20; round += 1) {
        await importer.work(never);
        sink.clock.advance(60_000);
      }
      expect(await tables.describeTable(sink.tableId, never)).toMatchObject({ rows: 85 });
      expect(await sink.progress()).toMatchObject({ staged: [], parked: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function longRow(): string {
  return `"${randomBytes(500_000).toString('hex')}"\n`;
}
