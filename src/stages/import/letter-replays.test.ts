import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf } from '../../../test/contract/staged-csv.ts';
import { ImportHarness } from '../../../test/support/import-harness.ts';
import { eventId, ingestedEvent } from '../../../test/support/mapping-fixture.ts';
import { allowed } from '../../../test/support/progress-of.ts';
import { remapHere } from '../../../test/support/remap-here.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { accountOf } from '../../core/accounts/conservation.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { askReplay, stopReplay } from '../../core/progress/replay-order.ts';
import { noTotals, type Replay } from '../../core/progress/sink-progress.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import { writeDeadLetterLine } from '../../mapping/dead-letter-line.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { importId, mappingId } from '../../documents/document-id.ts';
import { importNoteDocuments } from '../../documents/import-note-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Remapper } from './letter-replays.ts';
import { SinkImporter, type SinkImporterOptions } from './sink-importer.ts';

const never = { signal: new AbortController().signal };
const letters = 5;
/** Of all letters, which keeps no whole event. */
const partialAt = 3;

let harness: ImportHarness;

beforeEach(async () => {
  harness = await ImportHarness.open(0);
  const { key, incarnation } = await harness.progress();
  const writer = new LineWriter();
  const lines = Array.from({ length: letters }, (_, offset) => {
    writeDeadLetterLine(
      {
        sink: key,
        incarnation,
        mappingVersion: 1,
        partition: 0,
        offset,
        event: ingestedEvent({ body: `{"n":${offset}}` }),
        refusal: { reason: 'pathNotFound', column: 'c', message: 'm', place: '' },
        isWhole: offset !== partialAt,
      },
      writer,
    );
    return Buffer.from(writer.line()).toString();
  });
  const content = { rows: [], dead: [contentOf(lines.join(''))], expected: { rows: 0, dead: letters } };
  const of = { incarnation, number: 1, id: 'first', tableId: harness.tableId, columns: ['body'] };
  await harness.tableStore.import({ ...of, ...content, before: { rows: 0, dead: 0 } }, never);
  await harness.rewrite((progress) => ({
    ...progress,
    nextImport: 2,
    totals: { 0: { ...noTotals, passed: letters, dead: letters } },
  }));
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
});

async function ask(order: Partial<Pick<Replay, 'filter' | 'limit'>> = {}): Promise<void> {
  await harness.rewrite((progress) =>
    allowed(askReplay(progress, { id: 'all', filter: {}, matching: letters, at: 1, ...order })),
  );
}

function importWith(change: Partial<SinkImporterOptions>, incarnation: Parameters<typeof mappingId>[0]): void {
  harness.importer = new SinkImporter({ ...harness.options, ...change }, incarnation);
}

/** What happens between the mapping of the first batch and its start. */
async function meanwhile(act: () => Promise<void>): Promise<void> {
  let isFirst = true;
  const remapper: Remapper = {
    remap: async (...given) => {
      const remapped = await remapHere.remap(...given);
      if (isFirst) await act();
      isFirst = false;
      return remapped;
    },
  };
  importWith({ remapper }, (await harness.progress()).incarnation);
}

async function state() {
  const { replay, replaying, totals, nextImport, ...progress } = await harness.progress();
  expect(accountOf({ ...progress, totals, nextImport }, 0).difference).toBe(0);
  expect(replaying).toBeUndefined();
  const table = await harness.tableStore.describeTable(deadLetterTable, never);
  const there = await harness.tableStore.describeTable(harness.tableId, never);
  const ledger = await harness.tableStore.readLedger(progress.incarnation, never);
  const { rows = 0, dead = 0 } = totals[0] ?? {};
  expect(ledger).toMatchObject({ number: nextImport - 1, loaded: { rows, dead } });
  return { replay, rows, dead, inTable: there?.rows, letters: table?.rows, nextImport };
}

describe('a replay of dead letters', () => {
  it('D3, D4: makes rows of those that keep their event, in one import, and leaves the others', async () => {
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({
      rows: 4,
      dead: 1,
      inTable: 4,
      letters: 1,
      nextImport: 3,
      replay: { state: 'done', counts: { seen: 5, rows: 4, filtered: 0, refused: 0, partial: 1 }, batches: 1 },
    });
  });

  it('leaves a note in the history of imports, with the letters that it took', async () => {
    await ask();
    await harness.workWhileDue();
    await harness.options.history.close();
    const { incarnation } = await harness.progress();
    const at = { kind: importNoteDocuments, id: importId(incarnation, 2) };
    const { value: note } = (await readDocument(harness.options.catalog, at, never)) ?? {};
    expect(note).toMatchObject({ number: 2, verdict: 'loaded', rows: 4, dead: 0, slices: 0, mappingVersion: 1 });
    expect(note?.bytes).toBeGreaterThan(0);
    expect(note?.replay).toEqual({ id: 'all', letters: 4, offsets: { 0: [0, 1, 1, 2] } });
  });

  it('looks at no more than was asked for, and goes on where nothing is taken', async () => {
    await ask({ limit: 2 });
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ rows: 2, letters: 3, replay: { state: 'done', counts: { seen: 2 } } });
    await harness.rewrite((progress) =>
      allowed(askReplay(progress, { id: 'b', filter: { column: 'x' }, matching: 0, at: 2 })),
    );
    await harness.workWhileDue();
    expect(await state()).toMatchObject({
      rows: 2,
      replay: { id: 'b', state: 'done', counts: { seen: 0 }, batches: 0 },
    });
  });

  it('D3: whose letters somebody purges meanwhile loads nothing of the batch, and makes it anew', async () => {
    await meanwhile(async () => {
      const where = [{ column: 'offset', value: '1' }];
      expect(await harness.tableStore.deleteLetters({ where, limit: 1 }, never)).toBe(1);
    });
    await ask();
    await harness.workWhileDue();
    // What was purged stays dead in the accounts.
    expect(await state()).toMatchObject({
      rows: 3,
      dead: 2,
      inTable: 3,
      letters: 1,
      nextImport: 4,
      replay: { state: 'done', counts: { seen: 4, rows: 3, partial: 1 }, batches: 1, abandoned: 0 },
    });
  });

  it('D7: whose mapping is changed meanwhile makes its rows anew', async () => {
    const { incarnation } = await harness.progress();
    await meanwhile(async () => {
      const columns = [{ type: 'uuid', name: 'body' }];
      const mapping = { incarnation, version: 2, tableId: harness.tableId, columns, allowedSignals: [] };
      const of = { collection: 'mapping', id: mappingId(incarnation, 2), expected: undefined } as const;
      await harness.options.catalog.compareAndSet({ ...of, value: mapping }, never);
      await harness.rewrite((progress) => ({ ...progress, mappingVersion: 2 }));
    });
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ rows: 4, nextImport: 3 });
    const { rows } = await harness.tableStore.preview(harness.tableId, { limit: 10 }, never);
    expect(new Set(rows.flat())).toEqual(new Set([eventId]));
  });

  it('that is stopped meanwhile begins no batch', async () => {
    await meanwhile(() => harness.rewrite((progress) => allowed(stopReplay(progress, { at: 2 }))));
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ rows: 0, dead: 5, letters: 5, nextImport: 2, replay: { state: 'stopped' } });
  });

  it('D6: whose table is gone fails with the reason, holds up nothing, and leaves the letters', async () => {
    await harness.tableStore.dropTable(harness.tableId, never);
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({
      rows: 0,
      dead: 5,
      letters: 5,
      nextImport: 3,
      replay: { state: 'failed', failure: { code: 'table.notFound' } },
    });
    await harness.tableStore.createTable(harness.tableId, ['body'], never);
    await harness.stage(1);
    harness.clock.advance(60_000);
    await harness.workWhileDue();
    expect(await harness.rows()).toBe(1);
  });

  it('D6: whose mapping takes too long fails with the reason', async () => {
    const remapper: Remapper = { remap: () => Promise.reject(new MillraceError('trial.tooLong', 'too long')) };
    importWith({ remapper }, (await harness.progress()).incarnation);
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ dead: 5, replay: { state: 'failed', failure: { code: 'trial.tooLong' } } });
  });

  it('D6: goes on in the next process when this one may begin no thread any more', async () => {
    const refused = new MillraceError('thread.otherBuild', 'restart it');
    const { incarnation } = await harness.progress();
    importWith({ remapper: { remap: () => Promise.reject(refused) } }, incarnation);
    await ask();
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ dead: 5, replay: { state: 'running' } });
    importWith({}, incarnation);
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ replay: { state: 'done' } });
  });

  it('of a sink that was deleted ends, and the letters stay', async () => {
    await ask();
    await harness.rewrite((progress) => ({ ...progress, entries: {}, deleted: true, open: false }));
    await harness.importer.work(never);
    const table = await harness.tableStore.describeTable(deadLetterTable, never);
    expect(table?.rows).toBe(letters);
  });

  it('D2, D3: goes on after a crash at any step, by the ledger', async () => {
    const { incarnation } = await harness.progress();
    const { catalog } = harness.options;
    for (let died = 1; ; died += 1) {
      let writes = 0;
      const dying = withMethod(catalog, 'compareAndSet', async (write, options) => {
        writes += 1;
        if (writes === died) throw new MillraceError('catalog.unavailable', 'it died');
        return catalog.compareAndSet(write, options);
      });
      if (died === 1) await ask();
      importWith({ catalog: dying }, incarnation);
      await harness.importer.work(never);
      harness.restart();
      if ((await harness.progress()).replay?.state === 'done') break;
      expect(died).toBeLessThan(20);
    }
    await harness.workWhileDue();
    expect(await state()).toMatchObject({ rows: 4, dead: 1, inTable: 4, letters: 1, replay: { counts: { rows: 4 } } });
  });

  it('that is stopped while its batch fails is given up, so that imports go on', async () => {
    const { incarnation } = await harness.progress();
    const { ledger } = harness.options;
    const away = (): Promise<never> => Promise.reject(new MillraceError('table.unavailable', 'it is away'));
    importWith({ ledger: withMethod(ledger, 'import', away) }, incarnation);
    await ask();
    await harness.importer.work(never);
    expect((await harness.progress()).replaying).toMatchObject({ number: 2 });
    await harness.rewrite((progress) => allowed(stopReplay(progress, { at: 2 })));
    await harness.importer.work(never);
    expect(await state()).toMatchObject({ rows: 0, dead: 5, letters: 5, nextImport: 3, replay: { state: 'stopped' } });
  });
});
