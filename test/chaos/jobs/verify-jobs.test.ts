import { describe, expect, it } from 'vitest';
import { Api } from '../../support/api.ts';
import { smallApi } from '../../support/small-api.ts';
import { requireItems } from './verify-jobs.ts';

const tableId = 'in.c-jobs.first';

/** What the judge says of a table with these ids, to which three items were loaded twice. */
async function judge(ids: readonly (number | string)[]): Promise<void> {
  const body = ids.map((id) => `${JSON.stringify({ id: String(id) })}\n`).join('');
  await using api = await smallApi(() => ({ [`GET /v2/storage/tables/${tableId}/export?format=ndjson`]: { body } }));
  await requireItems(new Api(api.url, 'token'), { tableId, items: 3, times: 2 });
}

describe('the judge of jobs in the crash tests', () => {
  it('finds nothing where each item is there as often as jobs succeeded', async () => {
    await judge([0, 1, 2, 2, 1, 0]);
  });

  it.each([
    ['D2: an item that is there once too little', [0, 1, 2, 2, 1], 'D2: item 0 is 1 times in in.c-jobs.first'],
    ['D2: an item that is not there', [0, 1, 1, 0], 'D2: item 2 is 0 times in in.c-jobs.first'],
    ['D3: the items of a job that says that it failed', [0, 1, 2, 0, 1, 2, 0, 1, 2], 'D3: item 0 is 3 times'],
    ['an item that was never asked for', [0, 1, 2, 0, 1, 2, 'x'], 'item "x" of in.c-jobs.first was never there'],
  ])('notices %s', async (_, ids, message) => {
    await expect(judge(ids)).rejects.toThrow(message);
  });
});
