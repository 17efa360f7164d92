import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText, matching } from '../../test/support/matching.ts';
import { addressRefusals } from '../../test/support/refusals/address-refusals.ts';
import { columnRefusals } from '../../test/support/refusals/column-refusals.ts';
import { sources, table } from '../../test/support/refusals/refusal.ts';
import { settingsRefusals } from '../../test/support/refusals/settings-refusals.ts';
import { sinkRefusals } from '../../test/support/refusals/sink-refusals.ts';
import { sourceRefusals } from '../../test/support/refusals/source-refusals.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', sources, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
});

afterAll(() => harness[Symbol.asyncDispose]());

const refusals = [...sourceRefusals, ...sinkRefusals, ...columnRefusals, ...settingsRefusals, ...addressRefusals];

describe('D9: a request that breaks a rule is told field, value and rule', () => {
  test.each(refusals)('$rule: $at', async ({ at, body, status, error, message }) => {
    const [method = '', path = ''] = at.split(' ');
    const answer = await harness.api.request(method, path, body);
    expect(answer.body).toMatchObject({ statusCode: status, error: `stream.api.${error}` });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: typeof message === 'string' ? message : matching(message) });
  });

  test('error bodies escape what a browser would take for a tag', async () => {
    const { text } = await harness.api.request('GET', `${sources}?limit=<b>%26`);
    expect(text).toContain('\\u003cb');
    expect(text).not.toMatch(/[<>&]/);
  });

  test('storage paths answer in the storage shape, and never show the token', async () => {
    const storage = (headers: Record<string, string>) =>
      describedFetch(`${harness.base}/v2/storage/tables`, { headers });
    const missing = await storage({});
    expect(missing.status).toBe(401);
    expect(await missing.json()).toMatchObject({
      code: '',
      error: matching(/^Access token must be set/),
      status: 'error',
    });
    const wrong = await (await storage({ 'X-StorageApi-Token': 'wrong-one' })).text();
    expect(JSON.parse(wrong)).toMatchObject({ code: 'storage.tokenInvalid', error: 'Invalid access token.' });
    expect(wrong).not.toContain('wrong-one');
    const unknown = await harness.api.request('GET', '/v2/storage/tables/in.c-a.b');
    expect(unknown).toMatchObject({
      status: 404,
      body: { code: 'storage.tables.notFound', exceptionId: anyText },
    });
    const limit = await harness.api.request('GET', '/v2/storage/tables/in.c-shop.orders/data-preview?limit=1001');
    expect(limit).toMatchObject({ status: 400, body: { code: 'storage.tables.validation' } });
  });
});
