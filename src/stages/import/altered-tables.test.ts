import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImportHarness } from '../../../test/support/import-harness.ts';
import { mappingId } from '../../documents/document-id.ts';
import { columnsAfter, type ColumnChange } from '../../core/column-change.ts';

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

/** What the next update changes. */
const dropping: ColumnChange = { before: ['text', 'more'], dropped: ['more'], renamed: [], added: ['note'] };

/** What an update writes before it changes the columns. */
async function keepMapping(version = 2, { renamed, ...after }: ColumnChange = change): Promise<void> {
  const { incarnation } = await sink.progress();
  const columns = columnsAfter({ ...after, renamed }).map((name) => ({
    type: name === 'text' ? 'body' : 'uuid',
    name,
  }));
  const follows = version - 1;
  const value = {
    incarnation,
    version,
    tableId: sink.tableId,
    columns,
    allowedSignals: [],
    follows,
    altered: { renamed },
  };
  const at = { collection: 'mapping', id: mappingId(incarnation, version), expected: undefined } as const;
  await sink.options.catalog.compareAndSet({ ...at, value }, never);
}

/** An update as far as the columns of the table: its mapping is about to be used. */
async function alter(version = 2, to: ColumnChange = change): Promise<void> {
  await keepMapping(version, to);
  await sink.options.tables.alterTable(sink.tableId, to, never);
}

const use = (mappingVersion: number): Promise<void> => sink.rewrite((progress) => ({ ...progress, mappingVersion }));

/** Once, when the importer looks at the table for the nth time, something happens before it does, or before it hears what it saw. */
function atLook(
  nth: number,
  happens: { readonly before?: () => Promise<void>; readonly behind?: () => Promise<void> },
): void {
  const columnsOf = sink.options.tables.columnsOf.bind(sink.options.tables);
  let looks = 0;
  sink.options.tables.columnsOf = async (...given) => {
    const isIt = (looks += 1) === nth;
    if (isIt) await happens.before?.();
    const found = await columnsOf(...given);
    if (isIt) await happens.behind?.();
    return found;
  };
}

async function expectLoaded(): Promise<void> {
  await sink.workWhileDue();
  expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 2 } } });
  expect(await sink.rows()).toBe(2);
  expect(await sink.alarm()).toBeUndefined();
}

it('D8: an import asks for the columns of its table, and describes it never: that may cost more the more tables there are', async () => {
  const describeTable = vi.spyOn(sink.options.tables, 'describeTable');
  await sink.workWhileDue();
  expect(await sink.progress()).toMatchObject({ staged: [], parked: [] });
  expect(describeTable.mock.calls.length).toBe(0);
});

async function cells(): Promise<readonly (readonly string[])[]> {
  return (await sink.tableStore.preview(sink.tableId, { limit: 10 }, never)).rows;
}

describe('D2, D3: slices that were staged before the columns of their table changed', () => {
  it('are loaded into it once, each cell at its place', async () => {
    await alter();
    await use(2);
    await expectLoaded();
    expect((await cells()).map(([, more]) => more)).toEqual(['', '']);
    expect((await cells()).map(([text]) => text)).not.toContain('');
  });

  it('are loaded into it while its mapping is about to be used, by an importer that has looked before', async () => {
    // The columns change between the look at the table and the load.
    atLook(1, { behind: () => alter() });
    await expectLoaded();
  });

  it('A49: are loaded while they change twice, by an importer that has read the document before', async () => {
    atLook(1, {
      before: async () => {
        await alter();
        await use(2);
        await alter(3, dropping);
      },
    });
    await expectLoaded();
    expect((await cells()).map(([, note]) => note)).toEqual(['', '']);
  });

  it('A49: are loaded when they change again behind the look that tells where their cells go', async () => {
    await alter();
    await use(2);
    // The first look is before the import begins, the second one in it.
    atLook(2, { behind: () => alter(3, dropping) });
    await expectLoaded();
    expect((await cells()).map(([, note]) => note)).toEqual(['', '']);
  });

  it('wait with the reason when nobody has written down how the columns changed', async () => {
    await sink.options.tables.alterTable(sink.tableId, change, never);
    await sink.workWhileDue();
    expect((await sink.progress()).parked).toHaveLength(2);
    expect(await sink.alarm()).toMatchObject({ code: 'table.schemaMismatch' });
    await keepMapping();
    await use(2);
    sink.run(2000);
    await sink.workWhileDue();
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [], totals: { 0: { rows: 2 } } });
  });
});

it('D3: what is imported is of the mapping whose table was looked at, whatever came first meanwhile', async () => {
  await keepMapping();
  let looks = 0;
  sink.rights.check = async () => {
    looks += 1;
    if (looks > 1) return;
    await sink.rewrite((progress) => ({
      ...progress,
      staged: progress.staged.map((slice) => ({ ...slice, mappingVersion: 2 })),
    }));
  };
  await sink.importer.work(never);
  const { importing, nextImport, staged } = await sink.progress();
  expect([importing, nextImport, staged.map(({ mappingVersion }) => mappingVersion)]).toEqual([undefined, 1, [2, 2]]);
});
