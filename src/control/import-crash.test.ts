import { expect, test } from 'vitest';
import { fusedAdmin } from '../../test/support/fused-admin.ts';
import type { Fault } from '../../test/support/fuse.ts';
import { uploadedFile } from '../../test/support/storage-jobs.ts';
import type { TableId } from '../core/table-id.ts';

const { signal } = new AbortController();
const jobs = '/v2/storage/jobs';

const admin = fusedAdmin();

interface Job {
  readonly id: number;
  readonly status: string;
  readonly tableId: string;
}

/** Jobs of a table, once all of them have ended. */
async function endedOf(tableId: string): Promise<readonly Job[]> {
  const all = async (): Promise<readonly Job[]> =>
    (await admin.harness.api.call<readonly Job[]>('GET', `${jobs}?limit=500`)).filter((job) => job.tableId === tableId);
  await expect
    .poll(async () => (await all()).filter(({ status }) => status === 'waiting' || status === 'processing'))
    .toEqual([]);
  return all();
}

const forms = ['import', 'create'] as const;
type Form = (typeof forms)[number];

/** Asks for a load once for each of its writes, with the fault at that write; answers how many writes it has. */
async function atEveryWrite(form: Form, fault: Fault, after: () => Promise<void>): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    const tableId = `in.c-crash.t${writes}` as TableId;
    if (form === 'import') await admin.harness.tableStore.createTable(tableId, ['a'], { signal });
    const dataFileId = await uploadedFile('a\n1\n2\n3\n', { base: admin.harness.base });
    const [path, body] =
      form === 'import'
        ? [`/v2/storage/tables/${tableId}/import-async`, { dataFileId, incremental: true }]
        : ['/v2/storage/buckets/in.c-crash/tables-async', { dataFileId, name: `t${writes}` }];
    admin.fuse.burnAfter(writes, fault);
    const answer = admin.harness.api.request('POST', path, body).catch((thrown: unknown) => thrown);
    const isLoaded = async (): Promise<boolean> =>
      (await admin.harness.api.call<readonly Job[]>('GET', `${jobs}?limit=1`)).some(
        (job) => job.tableId === tableId && job.status === 'success',
      );
    const burnt = await admin.fuse.burntOrQuiet(answer, isLoaded);
    await after();
    const ended = await endedOf(tableId);
    const successes = ended.filter(({ status }) => status === 'success').length;
    const rows = (await admin.harness.tableStore.describeTable(tableId, { signal }))?.rows ?? 0;
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
    const writes = await atEveryWrite(form, 'silence', () => admin.harness.restart(() => admin.fuse.mend()));
    expect(writes).toBeGreaterThan(4);
  },
);

test.each(forms)('B8: %s with each answer lost once, it is looked up what happened', async (form) => {
  await atEveryWrite(form, 'lostAnswer', () => Promise.resolve());
});

test.each(forms)('B8: %s refused from each write on, a table is loaded once or not at all', async (form) => {
  await atEveryWrite(form, 'outage', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    admin.fuse.mend();
  });
});
