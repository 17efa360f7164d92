import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, csvOf } from '../../test/contract/staged-csv.ts';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { ClockAhead } from '../../test/support/clock-ahead.ts';
import { change } from '../../test/support/deliver.ts';
import { deadLetterColumns } from '../core/dead-letter.ts';
import { parseIncarnation } from '../core/ids.ts';
import { importedStatistics, withImported } from '../core/progress/statistics.ts';
import { parseTableId } from '../core/table-id.ts';
import { systemClock } from '../runtime/system-clock.ts';

const sink = '/v1/branches/default/sources/shop/sinks/orders';
const replay = `${sink}/dead-letters/replay`;
const purge = '/v1/branches/default/dead-letters/purge';
const signal = new AbortController().signal;
const day = 24 * 3_600_000;

let harness: AdminHarness;
let clock: ClockAhead;

beforeEach(async () => {
  clock = new ClockAhead(systemClock);
  harness = await startAdmin((dependencies) => ({ ...dependencies, clock }));
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'path', name: 'n', path: 'n' }] } };
  const sinks = [{ name: 'orders', sinkId: 'orders', table }];
  await harness.api.task('POST', '/v1/branches/default/sources', {
    type: 'http',
    name: 'shop',
    sourceId: 'shop',
    sinks,
  });
});

afterEach(() => harness[Symbol.asyncDispose]());

/** Dead letters that arrived at these times are in their table, and the document counts them. */
async function letters(arrivals: readonly number[]): Promise<void> {
  const found = await harness.api.call<{ incarnation: number }>('GET', `${sink}/progress`);
  const incarnation = parseIncarnation(found.incarnation);
  const lines = arrivals.map((at, offset) => {
    const cells: Partial<Record<string, string>> = {
      incarnation: String(incarnation),
      partition: '0',
      offset: String(offset),
      event_id: `event-${offset}`,
      arrived_at: new Date(at).toISOString(),
      reason: 'invalidJson',
    };
    return deadLetterColumns.map((column) => cells[column] ?? '');
  });
  const [firstArrival, lastArrival] = [Math.min(...arrivals), Math.max(...arrivals)];
  const counts = { rows: 0, dead: arrivals.length };
  await harness.tableStore.import(
    {
      incarnation,
      number: 1,
      id: 'import-1',
      tableId: parseTableId('in.c-shop.orders'),
      columns: ['n'],
      rows: [],
      dead: [contentOf(csvOf(lines))],
      expected: counts,
      before: { rows: 0, dead: 0 },
    },
    { signal },
  );
  await change(harness.dependencies.catalog, incarnation, (progress) => ({
    ...progress,
    imported: withImported(importedStatistics(progress), [{ ...counts, firstArrival, lastArrival }]),
  }));
}

describe('A61: a replay', () => {
  it.each([
    { set: 'back', aheadMs: -day },
    { set: 'well', aheadMs: 0 },
  ])('takes what is there, also of events that arrived by a clock that is $set now', async ({ aheadMs }) => {
    const now = Date.now();
    await letters([now - 2 * day, now, now + 10 * 60_000]);
    clock.aheadMs = aheadMs;
    const tried = await harness.api.call<{ letters: readonly object[] }>('POST', `${replay}/try`, {});
    expect([tried, tried.letters.length]).toEqual([expect.objectContaining({ matching: 3 }), 3]);
    const until = new Date(now - day).toISOString();
    expect(await harness.api.call('POST', `${replay}/try`, { until })).toMatchObject({ matching: 1 });
    expect(await harness.api.call('POST', replay, {})).toMatchObject({ state: 'running', matching: 3 });
  });
});

describe('D9, A61: what is not understood chooses no letters, and is refused', () => {
  const until = '2100-01-01T00:00:00Z';

  it.each([
    [`${replay}/try`, { reasn: 'invalidJson' }, 'Body takes no "reasn": correct the name, or leave it out.'],
    [replay, { until, sinkId: 'orders' }, 'Body takes no "sinkId": correct the name, or leave it out.'],
    [purge, { until, sourceID: 'shop', sinkID: 'x' }, 'Body takes no "sourceID", "sinkID": correct the name, or'],
    [purge, { until, since: until }, '"since" must be before "until", but 2100-01-01T00:00:00.000Z is not before'],
    [`${replay}/try`, { until, since: '2100-01-02T00:00:00Z' }, '"since" must be before "until", but 2100-01-02'],
  ])('%s %j', async (path, body, message) => {
    await letters([1]);
    expect(await harness.api.request('POST', path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) as string },
    });
    expect(await harness.api.call('GET', '/v1/branches/default/dead-letters/counts')).toMatchObject({ letters: 1 });
  });
});
