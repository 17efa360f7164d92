import { describe, expect, test } from 'vitest';
import { fusedAdmin } from '../../test/support/fused-admin.ts';
import { inconsistencies, noTaskRuns } from '../../test/support/admin-state.ts';
import { change, importAll, stageAll } from '../../test/support/deliver.ts';
import type { Fault } from '../../test/support/fuse.ts';
import { importRequest } from '../../test/contract/import-request.ts';
import type { Incarnation } from '../core/ids.ts';
import type { TableId } from '../core/table-id.ts';

const options = { signal: new AbortController().signal };
const S = '/v1/branches/default/sources';

const admin = fusedAdmin();

interface TableOperation {
  readonly name: string;
  readonly method: string;
  readonly path: (tableId: string) => string;
  readonly body?: object;
  /** Rows of the tables "t" and "u" once it is done; null: it is not there. */
  readonly done: readonly [number | null, number | null];
  /** The columns of "t" once it is done; absent: as before. */
  readonly columns?: readonly string[];
  /** It can be asked for while a sink fills the table. */
  readonly whileFilled: boolean;
}

const at = (tableId: string): string => `/v2/storage/tables/${tableId}`;
const operations: readonly TableOperation[] = [
  { name: 'deleteTable', method: 'DELETE', path: at, done: [null, null], whileFilled: true },
  { name: 'deleteTableRows', method: 'DELETE', path: (id) => `${at(id)}/rows`, done: [0, null], whileFilled: true },
  {
    name: 'renameTable',
    method: 'POST',
    path: (id) => `${at(id)}/rename`,
    body: { name: 'u' },
    done: [null, 2],
    whileFilled: false,
  },
  {
    name: 'createTable',
    method: 'POST',
    path: (id) => `/v2/storage/buckets/${id.slice(0, id.lastIndexOf('.'))}/tables-definition`,
    body: { name: 'u', columns: [{ name: 'a' }] },
    done: [2, 0],
    whileFilled: false,
  },
];

const ofColumns: readonly TableOperation[] = [
  {
    name: 'addColumn',
    method: 'POST',
    path: (id) => `${at(id)}/columns`,
    body: { name: 'c' },
    done: [2, null],
    columns: ['a', 'b', 'c'],
    whileFilled: false,
  },
  {
    name: 'dropColumn',
    method: 'DELETE',
    path: (id) => `${at(id)}/columns/b`,
    done: [2, null],
    columns: ['a'],
    whileFilled: false,
  },
  {
    name: 'deleteBucket',
    method: 'DELETE',
    path: (id) => `/v2/storage/buckets/${id.slice(0, id.lastIndexOf('.'))}?force=true`,
    done: [null, null],
    whileFilled: false,
  },
];

/** What a first call that succeeds is answered with. */
const success: Readonly<Record<string, number>> = { renameTable: 200, createTable: 201, addColumn: 201 };

const before = [2, null];
const columnsBefore: readonly string[] = ['a', 'b'];

/** A sink that has two rows in its table and one in staging. */
async function filled(source: string): Promise<Incarnation> {
  const tableId = `in.c-${source}.t` as TableId;
  const columns = ['a', 'b'].map((name) => ({ type: 'uuid', name }));
  const sinks = [{ name: 'k', table: { tableId, mapping: { columns } } }];
  await admin.harness.api.task('POST', S, { type: 'http', name: source, sinks });
  const { incarnation } = await admin.harness.api.call<{ incarnation: Incarnation }>(
    'GET',
    `${S}/${source}/sinks/k/progress`,
  );
  const rows = [
    ['1', '2'],
    ['3', '4'],
  ];
  await admin.harness.tableStore.import(importRequest({ incarnation, tableId }, 1, rows), options);
  await send(source, 2);
  await stageAll(admin.harness.dependencies, incarnation);
  await importAll(admin.harness.dependencies, incarnation);
  await send(source, 1);
  await stageAll(admin.harness.dependencies, incarnation);
  return incarnation;
}

async function send(source: string, count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await admin.harness.dependencies.sourceLog.append({ topic: `source.1.${source}`, partition: 0 }, records, options);
}

/** Nothing fills the table any more, and nothing waits for it. */
async function left(source: string, incarnation: Incarnation): Promise<void> {
  await importAll(admin.harness.dependencies, incarnation);
  await admin.harness.api.task('DELETE', `${S}/${source}/sinks/k`);
  await change(admin.harness.dependencies.catalog, incarnation, ({ flush: _, ...progress }) => progress);
}

async function rowsOf(source: string): Promise<readonly (number | null)[]> {
  const of = async (name: string): Promise<number | null> =>
    (await admin.harness.tableStore.describeTable(`in.c-${source}.${name}` as TableId, options))?.rows ?? null;
  return [await of('t'), await of('u')];
}

/** The columns of "t", and where it is gone nothing in their place. */
async function expectColumns(source: string, possible: readonly (readonly string[])[]): Promise<void> {
  const found = await admin.harness.tableStore.describeTable(`in.c-${source}.t` as TableId, options);
  expect([undefined, ...possible]).toContainEqual(found?.columns);
}

const request = ({ method, path, body }: TableOperation, source: string, force: boolean) =>
  admin.harness.api.request(method, `${path(`in.c-${source}.t`)}${force ? '?force=true' : ''}`, body);

const kept = { accepted: 3, imported: 2, staged: 1, difference: 0 };
const totalsOf = async (source: string): Promise<object> =>
  (await admin.harness.api.call<{ totals: object }>('GET', `${S}/${source}/sinks/k/progress`)).totals;

const outcomes = async (name: string): Promise<readonly string[]> =>
  (
    await admin.harness.api.call<{ entries: readonly { outcome: string }[] }>(
      'GET',
      `/v1/branches/default/audit?operation=${name}&limit=100`,
    )
  ).entries.map(({ outcome }) => outcome);

/** Asks for it once for each of its writes, with the fault at that write; answers what was seen afterwards. */
async function atEveryWrite(
  operation: TableOperation,
  { fault, force }: { readonly fault: Fault; readonly force: boolean },
  after: (source: string, answer: Promise<unknown>) => Promise<void>,
): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    const source = `s${writes}`;
    const incarnation = await filled(source);
    if (!force) await left(source, incarnation);
    admin.fuse.burnAfter(writes, fault);
    const answer = request(operation, source, force).catch((thrown: unknown) => thrown);
    const burnt = await admin.fuse.burntOrQuiet(answer, () => noTaskRuns(admin.harness.dependencies));
    await after(source, answer);
    const { columns = columnsBefore } = operation;
    expect([before, operation.done]).toContainEqual(await rowsOf(source));
    await expectColumns(source, [columnsBefore, columns]);
    // The sink has what it had: what waits comes when there is a table, and every event is accounted for.
    expect(force ? await totalsOf(source) : kept).toMatchObject(kept);
    if (!burnt) return writes;
    const again = await request(operation, source, force);
    expect([200, 201, 204, 400, 404, 409]).toContain(again.status);
    expect(await rowsOf(source)).toEqual(operation.done);
    await expectColumns(source, [columns]);
  }
}

const forms = [...operations, ...ofColumns].flatMap((operation) =>
  [false, true]
    .filter((force) => !force || operation.whileFilled)
    .map((force) => ({ ...operation, force, how: force ? 'while a sink fills it' : 'that nothing fills' })),
);

describe.each(forms)('A28, A49: $name of a table $how', (operation) => {
  test('stopped at each write, it is done or not begun, and the trail says that it was interrupted', async () => {
    const writes = await atEveryWrite(operation, { fault: 'silence', force: operation.force }, async () => {
      await admin.harness.restart(() => admin.fuse.mend());
    });
    expect(writes).toBeGreaterThan(1);
    await expect.poll(() => outcomes(operation.name)).not.toContain('processing');
    expect(await outcomes(operation.name)).toEqual(expect.arrayContaining(['interrupted', 'success']));
    // A sink whose table was deleted in spite of it has none.
    expect(operation.force ? [] : await inconsistencies(admin.harness.dependencies)).toEqual([]);
  });

  test('with each answer lost once, it is looked up what happened', async () => {
    const fault = { fault: 'lostAnswer', force: operation.force } as const;
    await atEveryWrite(operation, fault, async (source, answer) => {
      expect(await answer).toMatchObject({ status: success[operation.name] ?? 204 });
      expect(await rowsOf(source)).toEqual(operation.done);
      await expectColumns(source, [operation.columns ?? columnsBefore]);
    });
  });

  test('refused from each write on, it is done or not begun', async () => {
    await atEveryWrite(operation, { fault: 'outage', force: operation.force }, async (_, answer) => {
      await answer;
      admin.fuse.mend();
    });
  });
});
