import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Fuse, type Fault } from '../../test/support/fuse.ts';
import type { TableId } from '../core/table-id.ts';

const { signal } = new AbortController();
const jobs = '/v2/storage/jobs';

let fuse: Fuse;
let harness: AdminHarness;

beforeEach(async () => {
  fuse = new Fuse();
  harness = await startAdmin((dependencies) => fuse.behind(dependencies));
});

afterEach(() => harness[Symbol.asyncDispose]());

interface Job {
  readonly id: number;
  readonly status: string;
  readonly tableId: string;
}

async function uploaded(): Promise<number> {
  const { id } = await harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'a.csv' });
  const headers = { 'X-StorageApi-Token': rootToken };
  await fetch(`${harness.base}/v2/storage/files/${id}/content`, { method: 'PUT', headers, body: 'a\n1\n2\n3\n' });
  return id;
}

/** Jobs of a table, once all of them have ended. */
async function endedOf(tableId: string): Promise<readonly Job[]> {
  const all = async (): Promise<readonly Job[]> =>
    (await harness.api.call<readonly Job[]>('GET', `${jobs}?limit=500`)).filter((job) => job.tableId === tableId);
  await expect
    .poll(async () => (await all()).filter(({ status }) => status === 'waiting' || status === 'processing'), {
      timeout: 20_000,
    })
    .toEqual([]);
  return all();
}

const forms = ['import', 'create'] as const;
type Form = (typeof forms)[number];

/** Asks for a load once for each of its writes, with the fault at that write; answers how many writes it has. */
async function atEveryWrite(form: Form, fault: Fault, after: () => Promise<void>): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    const tableId = `in.c-crash.t${writes}` as TableId;
    if (form === 'import') await harness.tableStore.createTable(tableId, ['a'], { signal });
    const dataFileId = await uploaded();
    const [path, body] =
      form === 'import'
        ? [`/v2/storage/tables/${tableId}/import-async`, { dataFileId, incremental: true }]
        : ['/v2/storage/buckets/in.c-crash/tables-async', { dataFileId, name: `t${writes}` }];
    fuse.burnAfter(writes, fault);
    const answer = harness.api.request('POST', path, body).catch((thrown: unknown) => thrown);
    const isLoaded = async (): Promise<boolean> =>
      (await harness.api.call<readonly Job[]>('GET', `${jobs}?limit=1`)).some(
        (job) => job.tableId === tableId && job.status === 'success',
      );
    const burnt = await fuse.burntOrQuiet(answer, isLoaded);
    await after();
    const ended = await endedOf(tableId);
    const successes = ended.filter(({ status }) => status === 'success').length;
    const rows = (await harness.tableStore.describeTable(tableId, { signal }))?.rows ?? 0;
    // Once for each job that says so: neither lost nor twice.
    expect({ writes, rows }).toEqual({ writes, rows: 3 * successes });
    expect(ended.length).toBeLessThanOrEqual(1);
    // Without a fault it is loaded.
    expect(burnt || successes === 1).toBe(true);
    if (!burnt) return writes;
  }
}

test.each(forms)(
  'B8: %s stopped at each write, a table is loaded once or not at all, and its job says which',
  async (form) => {
    const writes = await atEveryWrite(form, 'silence', () => harness.restart(() => fuse.mend()));
    expect(writes).toBeGreaterThan(4);
  },
  120_000,
);

test.each(forms)(
  'B8: %s with each answer lost once, it is looked up what happened',
  async (form) => {
    await atEveryWrite(form, 'lostAnswer', () => Promise.resolve());
  },
  120_000,
);

test.each(forms)(
  'B8: %s refused from each write on, a table is loaded once or not at all',
  async (form) => {
    await atEveryWrite(form, 'outage', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      fuse.mend();
    });
  },
  180_000,
);
