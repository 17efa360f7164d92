import { describe, expect, test } from 'vitest';
import { fusedAdmin } from '../../test/support/fused-admin.ts';
import { noTaskRuns } from '../../test/support/admin-state.ts';
import type { Fault } from '../../test/support/fuse.ts';

const S = '/v1/branches/default/sources';
const T = '/v2/storage/tokens';
const key = 'storage.level.staging.upload.trigger.interval';

const admin = fusedAdmin();

interface Entry {
  readonly operation: string;
  readonly outcome: string;
  readonly before?: object;
  readonly after?: object;
}

const entriesOf = async (query: string): Promise<readonly Entry[]> =>
  (await admin.harness.api.call<{ entries: readonly Entry[] }>('GET', `/v1/branches/default/audit?${query}`)).entries;

/** The entries once none is open any more. */
async function ended(query: string): Promise<readonly Entry[]> {
  let entries: readonly Entry[] = [];
  const open = async (): Promise<readonly Entry[]> => {
    entries = await entriesOf(query);
    return entries.filter(({ outcome }) => outcome === 'processing');
  };
  await expect.poll(open).toEqual([]);
  return entries;
}

interface Change {
  readonly operation: string;
  readonly make: (name: string) => Promise<unknown>;
  /** How many such changes can be seen. */
  readonly seen: (name: string) => Promise<number>;
  readonly query: (name: string) => string;
}

const settings = [{ key, value: '7s' }];
const exists = async (path: string): Promise<boolean> => (await admin.harness.api.request('GET', path)).status === 200;

const changes: readonly Change[] = [
  {
    operation: 'createSource',
    make: (name) => admin.harness.api.task('POST', S, { type: 'http', name }),
    seen: async (name) => ((await exists(`${S}/${name}`)) ? 1 : 0),
    query: (name) => `operation=createSource&sourceId=${name}`,
  },
  {
    operation: 'updateSourceSettings',
    make: (name) => admin.harness.api.call('PATCH', `${S}/${name}/settings`, { settings }),
    seen: async (name) => {
      const answer = await admin.harness.api.call<{ settings: readonly { key: string; value: unknown }[] }>(
        'GET',
        `${S}/${name}/settings`,
      );
      return answer.settings.find((one) => one.key === key)?.value === '7s' ? 1 : 0;
    },
    query: (name) => `operation=updateSourceSettings&sourceId=${name}`,
  },
  {
    operation: 'createToken',
    make: (name) => admin.harness.api.call('POST', T, { description: name }),
    // All of them: an entry of a token that nobody could be told of has no id.
    seen: async () => (await admin.harness.api.call<readonly object[]>('GET', T)).length - 1,
    query: () => 'operation=createToken',
  },
];

/** Makes the change once for each of its writes, with the fault at that write. */
async function atEveryWrite(
  { operation, make }: Change,
  fault: Fault,
  after: (name: string, cut: Promise<unknown>) => Promise<void>,
): Promise<void> {
  for (let writes = 0; ; writes += 1) {
    const name = `s${writes}`;
    if (operation === 'updateSourceSettings') await admin.harness.api.task('POST', S, { type: 'http', name });
    await ended('');
    admin.fuse.burnAfter(writes, fault);
    const cut = make(name).catch((thrown: unknown) => thrown);
    const isQuiet = async (): Promise<boolean> =>
      (await noTaskRuns(admin.harness.dependencies)) && (await entriesOf('outcome=processing')).length === 0;
    const burnt = await admin.fuse.burntOrQuiet(cut, isQuiet);
    await after(name, cut);
    if (!burnt) return;
  }
}

describe.each(changes)('$operation', (change) => {
  test('A28: stopped at any write, it is in the trail if it can be seen, and its entry has an end', async () => {
    const outcomes = new Set<string>();
    await atEveryWrite(change, 'silence', async (name) => {
      await admin.harness.restart(() => admin.fuse.mend());
      const entries = await ended(change.query(name));
      const seen = await change.seen(name);
      expect(entries.length, `at ${name}: ${JSON.stringify(entries)}`).toBeGreaterThanOrEqual(seen);
      for (const { outcome } of entries) outcomes.add(outcome);
    });
    expect([...outcomes]).toContain('success');
    expect(outcomes.size).toBeGreaterThan(1);
  });

  test.each(['lostAnswer', 'outage'] as const)('with a catalog that has a %s at any write, too', async (fault) => {
    await atEveryWrite(change, fault, async (name, cut) => {
      if (fault === 'outage') admin.fuse.mend();
      await cut;
      const entries = await ended(change.query(name));
      expect(entries.length).toBeGreaterThanOrEqual(await change.seen(name));
    });
  });
});

test('what a dead process was at is told as its successor finds it', async () => {
  await admin.harness.api.task('POST', S, { type: 'http', name: 'shop' });
  await ended('');
  // The entry, the version and the source; not the end of the entry.
  admin.fuse.burnAfter(3, 'silence');
  const cut = admin.harness.api.call('PATCH', `${S}/shop/settings`, { settings }).catch((thrown: unknown) => thrown);
  await admin.fuse.burntOrQuiet(cut, () => Promise.resolve(true));
  await admin.harness.restart(() => admin.fuse.mend());
  const [entry] = await ended('operation=updateSourceSettings');
  expect(entry).toMatchObject({
    outcome: 'interrupted',
    before: { settings: {} },
    after: { settings: { [key]: '7s' } },
  });
});
