import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { startJobsApi, type JobsApi, type ShownJob } from '../../test/support/jobs-api.ts';
import { anyText, matching } from '../../test/support/matching.ts';
import type { PlayingWorker } from '../../test/support/playing-worker.ts';
import { storeConfiguration } from '../../test/support/stored-configuration.ts';
import { SecretKeys } from '../secrets/secret-keys.ts';

let harness: AdminHarness;
let worker: PlayingWorker;
let create: JobsApi['create'];

beforeEach(async () => {
  ({ harness, worker, create } = await startJobsApi());
});

afterEach(() => harness[Symbol.asyncDispose]());

const signal = new AbortController().signal;
const denied = "You don't have access to the resource.";

describe('J2: who may', () => {
  const issue = async (body: object): Promise<Api> =>
    new Api(harness.base, (await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', body)).token);

  test('the token of a component asks for its jobs, reads, lists and ends them', async () => {
    for (const rights of [{ componentAccess: ['generic-extractor'] }, { role: 'limited', canManageBuckets: true }]) {
      const own = await issue(rights);
      const body = { component: 'keboola.ex-generic-v2', config: 'shop' };
      const { id } = await own.call<ShownJob>('POST', '/jobs', body);
      await worker.say(id, 'info', 'a line');
      expect(await own.call('GET', `/jobs/${id}`)).toMatchObject({ id, component: 'generic-extractor' });
      for (const path of ['/search/jobs?limit=1', '/jobs?limit=1', '/jobs?component=ex-generic-v2&limit=1'])
        expect(await own.call('GET', path)).toMatchObject([{ id }]);
      expect(await own.call('GET', `/v2/storage/events?runId=${id}`)).toMatchObject([{ message: 'a line' }]);
      expect(await own.call('POST', `/jobs/${id}/kill`)).toMatchObject({ status: 'cancelled' });
      const none = await own.request('POST', '/jobs', { component: 'nothing', config: 'shop' });
      const text = 'Cannot resolve job parameters: Component "nothing" not found';
      expect(none).toMatchObject({ status: 400, body: { error: text } });
    }
  });

  test('the token of another component sees no jobs and no lines, and runs and ends none', async () => {
    const { id } = await create();
    await worker.say(id, 'info', 'a line');
    const other = await issue({ componentAccess: ['variables', 'shared-code'] });
    const refused = await other.request('POST', '/jobs', { component: 'generic-extractor', config: 'shop' });
    expect(refused).toMatchObject({ status: 403, body: { error: denied, code: 403, context: { errorCode: anyText } } });
    const unknown = { status: 404, body: { error: `Job "${id}" not found`, code: 404 } };
    expect(await other.request('GET', `/jobs/${id}`)).toMatchObject(unknown);
    expect(await other.request('POST', `/jobs/${id}/kill`)).toMatchObject(unknown);
    for (const query of ['', '?component=generic-extractor', `?id=${id}`])
      for (const path of ['/jobs', '/search/jobs']) expect(await other.call('GET', path + query)).toEqual([]);
    for (const query of ['', '?component=generic-extractor', `?runId=${id}`])
      expect(await other.call('GET', `/v2/storage/events${query}`)).toEqual([]);
    expect(await harness.api.call<ShownJob>('GET', `/jobs/${id}`)).toMatchObject({ phase: 'created' });
  });

  test('a token without any component is refused before anything else is looked at', async () => {
    const { id } = await create();
    const nobody = await issue({ role: 'limited' });
    for (const [method, path] of [
      ['POST', '/jobs'],
      ['POST', `/jobs/${id}/kill`],
      ['GET', `/jobs/${id}`],
      ['GET', '/search/jobs?limit=x'],
      ['GET', '/v2/storage/events'],
    ] as const)
      expect(await nobody.request(method, path, method === 'POST' ? { x: 1 } : undefined)).toMatchObject({
        status: 403,
      });
  });

  test('no token, a wrong one, and one that may only read', async () => {
    const { token } = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', { role: 'readOnly' });
    const readOnly = new Api(harness.base, token);
    const { id } = await create();
    expect((await readOnly.request('GET', `/jobs/${id}`)).status).toBe(200);
    expect((await readOnly.request('GET', '/search/jobs')).status).toBe(200);
    expect((await readOnly.request('GET', '/v2/storage/events')).status).toBe(200);
    const refused = await readOnly.request('POST', '/jobs', { component: 'generic-extractor', config: 'shop' });
    expect(refused).toMatchObject({ status: 403, body: { error: denied, code: 403, status: 'error' } });
    expect((await readOnly.request('POST', `/jobs/${id}/kill`)).status).toBe(403);
    const wrong = await new Api(harness.base, 'wrong').request('GET', `/jobs/${id}`);
    expect(wrong).toMatchObject({ status: 401, body: { error: 'Invalid access token', code: 401 } });
    expect((await fetch(`${harness.base}/jobs`)).status).toBe(401);
  });
});

describe('J11: secrets', () => {
  const values = [
    { name: 'vendor', value: 'abc' },
    { name: 'token', value: 'open sesame' },
  ];
  const shown = [
    { name: 'vendor', value: 'abc' },
    { name: 'token', value: '[hidden]' },
  ];

  test('the value of a variable that stands at a key with # is kept as a ciphertext, and shown as hidden', async () => {
    const { catalog } = harness.dependencies;
    const configuration = JSON.stringify({
      parameters: { api: { vendor: '{{vendor}}', '#token': 'Bearer {{token}}' } },
    });
    await storeConfiguration(catalog, { configurationId: 'keys', configuration });
    const version = { at: 'x', by: { type: 'system' }, number: 1, changeDescription: '' } as const;
    const row = { name: 'a', description: '', state: '{}', isDisabled: false, version, created: version };
    await storeConfiguration(catalog, { configurationId: 'parts', rows: [{ ...row, rowId: 'a', configuration }] });
    const configData: unknown = JSON.parse(configuration);
    for (const given of [{ config: 'keys' }, { config: 'parts' }, { configData }]) {
      const body = { component: 'generic-extractor', ...given, variableValuesData: { values } };
      const { id } = await harness.api.call<ShownJob>('POST', '/jobs', body);
      expect(await harness.api.call('GET', `/jobs/${id}`)).toMatchObject({ variableValuesData: { values: shown } });
      expect(await harness.api.call('GET', '/jobs?limit=1')).toMatchObject([{ variableValuesData: { values: shown } }]);
    }
    const stored = JSON.stringify(await catalog.list({ collection: 'job', prefix: '' }, { signal }));
    expect(stored).toContain('abc');
    expect(stored).not.toContain('sesame');
  });

  test('without a key such a value is refused in words, and nothing is made', async () => {
    await using keyless = await startAdmin((given) => ({ ...given, secretKeys: new SecretKeys([]) }));
    const configData = { parameters: { '#token': '{{token}}' } };
    const body = { component: 'generic-extractor', configData, variableValuesData: { values } };
    const { status, body: refusal } = await keyless.api.request('POST', '/jobs', body);
    expect(status).toBe(400);
    expect(refusal).toMatchObject({
      error: matching(/^The value of a variable that stands at a key with "#" is stored /),
    });
    expect(await keyless.api.call('GET', '/jobs')).toEqual([]);
  });
});
