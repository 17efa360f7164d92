import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { createApiClient } from './api-client.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

test('a client of the description does what a person would do by hand', async () => {
  const api = createApiClient({ url: harness.base, token: rootToken });
  const params = { path: { branchId: 'default' } };
  const body = { type: 'http' as const, name: 'Shop' };
  const { data: task } = await api.POST('/v1/branches/{branchId}/sources', { params, body });
  const path = { taskId: task?.taskId ?? '' };
  const ended = async (): Promise<boolean | undefined> =>
    (await api.GET('/v1/tasks/{taskId}', { params: { path } })).data?.isFinished;
  await expect.poll(ended).toBe(true);
  const { data: list } = await api.GET('/v1/branches/{branchId}/sources', { params });
  expect(list?.sources.map(({ sourceId }) => sourceId)).toEqual(['shop']);
});

test('a refusal is an error with its body, not an exception', async () => {
  const api = createApiClient({ url: harness.base, token: 'wrong' });
  const { data, error, response } = await api.GET('/v2/storage/tables');
  expect(data).toBeUndefined();
  expect(response.status).toBe(401);
  expect(error).toMatchObject({ code: 'storage.tokenInvalid' });
});

test('an id that a person typed does not lead to another path', async () => {
  const api = createApiClient({ url: harness.base, token: rootToken });
  const params = { path: { branchId: 'default', sourceId: 'shop/../../x' } };
  const { error } = await api.GET('/v1/branches/{branchId}/sources/{sourceId}', { params });
  expect(error).toMatchObject({ error: 'stream.api.sourceNotFound' });
});
