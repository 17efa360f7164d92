import { rename, truncate, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csvOf, ImportHarness } from '../../../test/support/import-harness.ts';

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
      await sink.importer.work({ signal: new AbortController().signal });
      rounds.push(await sink.rows());
    }
    expect(rounds).toEqual([2, 3]);
  });

  it('D6: is sought by halves, which a process that is killed on the way does not begin anew', async () => {
    await truncate(await sink.pathOf(3), 0);
    await sink.importer.work({ signal: new AbortController().signal });
    const marked = (await sink.progress()).staged;
    expect(marked.map(({ together }) => together)).toEqual([3, 3, 3, 3, 3]);
    sink.restart();
    await sink.importer.work({ signal: new AbortController().signal });
    expect(await sink.rows()).toBe(3);
    sink.restart();
    await sink.workWhileDue();
    expect(await sink.rows()).toBe(4);
    expect((await sink.progress()).parked).toMatchObject([{ id: '3' }]);
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
