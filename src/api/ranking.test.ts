import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { rankings, type SinkStanding } from '../core/accounts/rank-sinks.ts';
import { parseBranchId, parseSinkId, parseSourceId } from '../core/ids.ts';

const at = Date.parse('2026-01-02T03:04:05.678Z');
const path = '/v1/branches/default/ranking';

interface Ranking {
  readonly measuredAt: string | null;
  readonly page: { readonly offset: number; readonly limit: number; readonly totalCount: number };
  readonly sinks: readonly { readonly sourceId: string; readonly sinkId: string; readonly lagEvents: number }[];
}

/** As many as there are no series for any more, the last with most lag, and one of another branch. */
const sinks: readonly SinkStanding[] = [
  ...Array.from({ length: 1200 }, (_, index) => standing('default', `sink-${index}`, index)),
  standing('7', 'elsewhere', 5000),
];

function standing(branch: string, sinkId: string, lagEvents: number): SinkStanding {
  const none = Object.fromEntries(rankings.map((name) => [name, 0])) as Omit<SinkStanding, 'key'>;
  const key = { branchId: parseBranchId(branch), sourceId: parseSourceId('shop'), sinkId: parseSinkId(sinkId) };
  return { ...none, key, lagEvents };
}

let harness: AdminHarness;
let looked: { readonly at: number; readonly sinks: readonly SinkStanding[] } | undefined;

beforeAll(async () => {
  harness = await startAdmin((dependencies) => ({ ...dependencies, standings: () => looked }));
});

afterAll(() => harness[Symbol.asyncDispose]());

const rank = (query: string): Promise<Ranking> => harness.api.call<Ranking>('GET', `${path}?${query}`);

it('the sinks of a branch with most of what was asked for come first, page by page, however many there are', async () => {
  looked = { at, sinks };
  const first = await rank('by=lagEvents');
  expect(first).toMatchObject({
    measuredAt: '2026-01-02T03:04:05.678Z',
    page: { offset: 0, limit: 100, totalCount: 1199 },
  });
  expect(first.sinks).toHaveLength(100);
  expect(first.sinks[0]).toMatchObject({ sourceId: 'shop', sinkId: 'sink-1199', lagEvents: 1199 });
  const last = await rank('by=lagEvents&offset=1198&limit=10');
  expect(last.sinks.map(({ sinkId }) => sinkId)).toEqual(['sink-1']);
  expect((await rank('by=holes')).sinks).toEqual([]);
});

it('it says that nobody has looked yet, and which orders there are', async () => {
  looked = undefined;
  expect(await rank('by=lagEvents')).toMatchObject({ measuredAt: null, sinks: [] });
  const refused = await harness.api.request('GET', `${path}?by=beauty`);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('lagSeconds');
});
