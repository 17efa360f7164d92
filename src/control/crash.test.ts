import { describe, expect, test } from 'vitest';
import { inconsistencies, noTaskRuns } from '../../test/support/admin-state.ts';
import { sourcePrefix } from '../documents/document-id.ts';
import { defaultBranch, parseSourceId } from '../core/ids.ts';
import { fusedAdmin } from '../../test/support/fused-admin.ts';
import type { Fault } from '../../test/support/fuse.ts';
import { isLong } from '../../test/support/long-tests.ts';
import { seedOfRun } from '../../test/chaos/some-of.ts';

const S = '/v1/branches/default/sources';

const admin = fusedAdmin();

const table = (source: string, columns = ['id']): object => ({
  tableId: `in.c-${source}.t`,
  mapping: { columns: columns.map((name) => ({ type: 'uuid', name })) },
});
const create = (source: string): object => ({
  type: 'http',
  name: source,
  sinks: [{ name: 'k', table: table(source) }],
});
const wider = (source: string): object => ({
  description: 'Wider.',
  table: { ...table(source, ['id', 'more']), tableId: `in.c-${source}-b.t` },
});

const otherColumns = (source: string): object => ({
  table: { ...table(source, ['key', 'more']), alter: true, renamed: [{ from: 'id', to: 'key' }] },
});

interface Step {
  readonly method: string;
  /** It changes things inside the request. */
  readonly isShort?: true;
  readonly path: (source: string) => string;
  readonly body?: (source: string) => object;
}

const makeBoth: Step = { method: 'POST', path: () => S, body: create };
const put = (path: string): Step => ({ method: 'PUT', path: (source) => `${S}/${source}${path}` });

const deleteSource: Step = { method: 'DELETE', path: (source) => `${S}/${source}` };
const deleteSink: Step = { method: 'DELETE', path: (source) => `${S}/${source}/sinks/k` };

const makeSink: Step = {
  method: 'POST',
  path: (source) => `${S}/${source}/sinks`,
  body: (source) => ({ name: 'l', table: table(source) }),
};
const cascade: Step = { method: 'DELETE', path: (source) => `${S}/${source}?cascade=true` };

const uploadCount = 'storage.level.staging.upload.trigger.count';
const settings = { settings: [{ key: uploadCount, value: 7 }] };

const operations: readonly { readonly name: string; readonly before: readonly Step[]; readonly step: Step }[] = [
  { name: 'create a source with a sink', before: [], step: makeBoth },
  {
    name: 'create a sink',
    before: [{ method: 'POST', path: () => S, body: (source) => ({ type: 'http', name: source }) }],
    step: {
      method: 'POST',
      path: (source) => `${S}/${source}/sinks`,
      body: (source) => ({ name: 'k', table: table(source) }),
    },
  },
  {
    name: 'change a mapping',
    before: [makeBoth],
    step: { method: 'PATCH', path: (source) => `${S}/${source}/sinks/k`, body: wider },
  },
  {
    name: 'change the columns of a table',
    before: [makeBoth],
    step: { method: 'PATCH', path: (source) => `${S}/${source}/sinks/k`, body: otherColumns },
  },
  {
    name: 'roll a sink back',
    before: [
      makeBoth,
      { method: 'PATCH', path: (source) => `${S}/${source}/sinks/k/settings`, body: () => settings, isShort: true },
      { method: 'PATCH', path: (source) => `${S}/${source}/sinks/k`, body: wider },
    ],
    step: put('/sinks/k/versions/1/rollback'),
  },
  {
    name: 'roll a source back',
    before: [
      makeBoth,
      { method: 'PATCH', path: (source) => `${S}/${source}`, body: () => ({ description: 'Changed.' }) },
    ],
    step: put('/versions/1/rollback'),
  },
  { name: 'disable a sink', before: [makeBoth], step: put('/sinks/k/disable') },
  { name: 'enable a sink', before: [makeBoth, put('/sinks/k/disable')], step: put('/sinks/k/enable') },
  {
    name: 'delete a sink',
    before: [makeBoth],
    step: deleteSink,
  },
  { name: 'disable a source', before: [makeBoth], step: put('/disable') },
  { name: 'enable a source', before: [makeBoth, put('/disable')], step: put('/enable') },
  { name: 'delete a source', before: [makeBoth], step: deleteSource },
  { name: 'delete a source with its tables', before: [makeBoth, deleteSink, makeSink], step: cascade },
  { name: 'make a source where one was deleted with its tables', before: [makeBoth, cascade], step: makeBoth },
  { name: 'undelete a sink', before: [makeBoth, deleteSink], step: put('/sinks/k/undelete') },
  {
    name: 'undelete a disabled sink',
    before: [makeBoth, put('/sinks/k/disable'), deleteSink],
    step: put('/sinks/k/undelete'),
  },
  { name: 'undelete a source', before: [makeBoth, deleteSource], step: put('/undelete') },
  { name: 'undelete a disabled source', before: [makeBoth, put('/disable'), deleteSource], step: put('/undelete') },
  {
    name: 'rotate a secret',
    before: [makeBoth],
    step: { method: 'POST', path: (source) => `${S}/${source}/rotate-secret?overlap=1h`, isShort: true },
  },
];

interface Described {
  readonly description: string;
  readonly table: { readonly tableId: string };
}

interface Setting {
  readonly key: string;
  readonly overwritten: boolean;
}

async function run({ method, path, body, isShort }: Step, source: string): Promise<unknown> {
  if (isShort === true) return admin.harness.api.call(method, path(source), body?.(source));
  return admin.harness.api.task(method, path(source), body?.(source));
}

/** In the short form each other write has the fault; by another seed the others have it. */
const firstWrite = isLong ? 0 : seedOfRun('operations at each other write') % 2;

/** Runs the step once for each of its writes, with the fault at that write; `after` looks at what is left. */
async function atEveryWrite(
  { before, step }: (typeof operations)[number],
  fault: Fault,
  after: (source: string, cut: Promise<unknown>) => Promise<void>,
): Promise<number> {
  const [first, every] = isLong ? [0, 1] : [firstWrite, 2];
  for (let writes = first; ; writes += every) {
    const source = `s${writes}`;
    for (const one of before) await run(one, source);
    admin.fuse.burnAfter(writes, fault);
    const cut = run(step, source).catch((thrown: unknown) => thrown);
    const burnt = await admin.fuse.burntOrQuiet(cut, () => noTaskRuns(admin.harness.dependencies));
    await after(source, cut);
    if (burnt) continue;
    expect(await inconsistencies(admin.harness.dependencies)).toEqual([]);
    return writes;
  }
}

/** What is left of a source of which nothing should be. */
async function leftOf(source: string): Promise<readonly string[]> {
  const { catalog, tables } = admin.harness.dependencies;
  const signal = new AbortController().signal;
  const prefix = sourcePrefix({ branchId: defaultBranch, sourceId: parseSourceId(source) });
  const found: string[] = [];
  for (const collection of ['sink', 'sink-version', 'source-version'] as const)
    found.push(...(await catalog.list({ collection, prefix }, { signal })).map(({ id }) => `${collection} ${id}`));
  const deleted = await admin.harness.api.call<{ sources: readonly { sourceId: string }[] }>('GET', `${S}/deleted`);
  found.push(...deleted.sources.map(({ sourceId }) => `deleted ${sourceId}`));
  const known = (await tables.listTables({ signal })).map(({ tableId }) => tableId as string);
  return [...found, ...known.filter((tableId) => tableId.startsWith(`in.c-${source}.`))];
}

async function settled(source: string): Promise<void> {
  await expect.poll(() => inconsistencies(admin.harness.dependencies, source), { interval: 5 }).toEqual([]);
}

/** The operation can be asked for again, or has been done. */
async function again(step: Step, source: string): Promise<void> {
  await run(step, source).catch((thrown: unknown) => {
    if (!/: 404|: 409/.test(String(thrown))) throw thrown;
  });
  expect(await inconsistencies(admin.harness.dependencies, source)).toEqual([]);
}

describe('A28: a process that dies in the middle of an operation leaves nothing half made', () => {
  test.each(operations)('$name, stopped at each write', async (operation) => {
    const writes = await atEveryWrite(operation, 'silence', async (source) => {
      await admin.harness.restart(() => admin.fuse.mend());
      expect(await inconsistencies(admin.harness.dependencies, source)).toEqual([]);
      await again(operation.step, source);
    });
    expect(writes).toBeGreaterThan(operation.step.isShort === true ? 1 : 3);
  });

  test('A12: a source is never seen without the sinks that it was to be made with', async () => {
    const [operation] = operations;
    if (operation === undefined) throw new Error('no operation');
    await atEveryWrite(operation, 'silence', async (source) => {
      await admin.harness.restart(() => admin.fuse.mend());
      const paths = [`${S}/${source}`, `${S}/${source}/sinks/k`];
      const seen = await Promise.all(paths.map(async (path) => (await admin.harness.api.request('GET', path)).status));
      expect([
        [200, 200],
        [404, 404],
      ]).toContainEqual(seen);
    });
  });

  test('a source that is deleted with its tables is whole afterwards, or nothing of it is left', async () => {
    const cascading = { name: 'cascade', before: [makeBoth, deleteSink, makeSink], step: cascade };
    await atEveryWrite(cascading, 'silence', async (source) => {
      await admin.harness.restart(() => admin.fuse.mend());
      const { status } = await admin.harness.api.request('GET', `${S}/${source}/sinks/l`);
      expect([status, status === 200 ? [] : await leftOf(source)]).toEqual([status, []]);
    });
  });

  test.each(operations.filter(({ name }) => ['change a mapping', 'roll a sink back'].includes(name)))(
    '$name: table, description and settings are all as before, or all as after',
    async (operation) => {
      await atEveryWrite(operation, 'silence', async (source) => {
        await admin.harness.restart(() => admin.fuse.mend());
        const sink = `${S}/${source}/sinks/k`;
        const { table, description } = await admin.harness.api.call<Described>('GET', sink);
        const all = await admin.harness.api.call<{ settings: readonly Setting[] }>('GET', `${sink}/settings`);
        const set = all.settings.find(({ key }) => key === uploadCount)?.overwritten;
        const isWide = description === 'Wider.';
        const hadSettings = operation.name === 'roll a sink back';
        expect([table.tableId, set]).toEqual([`in.c-${source}${isWide ? '-b' : ''}.t`, hadSettings && isWide]);
      });
    },
  );

  test.each(operations.filter(({ name }) => name.startsWith('undelete')))(
    '$name: what comes back in the end is what was there, the sink with its source',
    async (operation) => {
      await atEveryWrite(operation, 'silence', async (source) => {
        await admin.harness.restart(() => admin.fuse.mend());
        const sink = `${S}/${source}/sinks/k`;
        const { status } = await admin.harness.api.request('GET', sink);
        if (status === 404) await run(operation.step, source);
        expect(await admin.harness.api.call('GET', `${S}/${source}/sinks/deleted`)).toMatchObject({ sinks: [] });
        const { disabled } = await admin.harness.api.call<{ disabled?: object }>('GET', sink);
        expect(disabled !== undefined).toBe(operation.name.includes('disabled'));
      });
    },
  );
});

describe('stores that go away in the middle of an operation leave nothing half made once they are back', () => {
  test.each(operations)('$name, refused from each write on', async (operation) => {
    await atEveryWrite(operation, 'outage', async (source, cut) => {
      admin.fuse.mend();
      await cut;
      await settled(source);
      await again(operation.step, source);
    });
  });
});

describe('after an unclear answer it is looked up what happened', () => {
  test.each(operations)('$name, each answer lost once', async (operation) => {
    await atEveryWrite(operation, 'lostAnswer', async (source, cut) => {
      await cut;
      await settled(source);
      await again(operation.step, source);
    });
  });
});
