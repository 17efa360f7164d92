import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportHarness } from '../../../test/support/import-harness.ts';
import { mappingId } from '../../documents/document-id.ts';
import type { ColumnChange } from '../../core/column-change.ts';

const never = { signal: new AbortController().signal };

let sink: ImportHarness;

beforeEach(async () => {
  // Two slices of mapping version 1, with the column "body".
  sink = await ImportHarness.open(2);
});

afterEach(() => sink[Symbol.asyncDispose]());

const change: ColumnChange = {
  before: ['body'],
  dropped: [],
  renamed: [{ from: 'body', to: 'text' }],
  added: ['more'],
};

/** What an update writes before it changes the columns. */
async function keepMapping(): Promise<void> {
  const { incarnation } = await sink.progress();
  const columns = [
    { type: 'body', name: 'text' },
    { type: 'uuid', name: 'more' },
  ];
  const altered = { renamed: change.renamed };
  const value = { incarnation, version: 2, tableId: sink.tableId, columns, allowedSignals: [], follows: 1, altered };
  const at = { collection: 'mapping', id: mappingId(incarnation, 2), expected: undefined } as const;
  await sink.options.catalog.compareAndSet({ ...at, value }, never);
}

async function cells(): Promise<readonly (readonly string[])[]> {
  return (await sink.tableStore.preview(sink.tableId, { limit: 10 }, never)).rows;
}

describe('D2, D3: slices that were staged before the columns of their table changed', () => {
  it('are loaded into it once, each cell at its place', async () => {
    await keepMapping();
    await sink.options.tables.alterTable(sink.tableId, change, never);
    await sink.rewrite((progress) => ({ ...progress, mappingVersion: 2 }));
    await sink.workWhileDue();
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 2 } } });
    expect((await cells()).map(([, more]) => more)).toEqual(['', '']);
    expect((await cells()).map(([text]) => text)).not.toContain('');
    expect(await sink.alarm()).toBeUndefined();
  });

  it('are loaded into it while its mapping is about to be used, by an importer that has looked before', async () => {
    await keepMapping();
    const describeTable = sink.options.tables.describeTable.bind(sink.options.tables);
    // The columns change between the look at the table and the load.
    let looks = 0;
    sink.options.tables.describeTable = async (...given) => {
      const found = await describeTable(...given);
      if (looks++ === 0) await sink.options.tables.alterTable(sink.tableId, change, never);
      return found;
    };
    await sink.workWhileDue();
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 2 } } });
    expect(await sink.rows()).toBe(2);
    expect(await sink.alarm()).toBeUndefined();
  });

  it('wait with the reason when nobody has written down how the columns changed', async () => {
    await sink.options.tables.alterTable(sink.tableId, change, never);
    await sink.workWhileDue();
    expect((await sink.progress()).parked).toHaveLength(2);
    expect(await sink.alarm()).toMatchObject({ code: 'table.schemaMismatch' });
    await keepMapping();
    await sink.rewrite((progress) => ({ ...progress, mappingVersion: 2 }));
    sink.run(2000);
    await sink.workWhileDue();
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 2 } } });
  });
});
