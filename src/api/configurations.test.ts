import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { sendForm, type FormRequest } from '../../test/support/send-form.ts';

const C = '/v2/storage/components/generic-extractor/configs';

interface Shown {
  readonly id: string;
  readonly version: number;
  readonly configuration: unknown;
  readonly state: unknown;
  readonly rows: readonly { readonly id: string; readonly version: number }[];
  readonly changeDescription: string;
}

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

const as = (token: string): Api => new Api(harness.base, token);
const call = (method: string, path: string, body?: unknown): Promise<Shown> => harness.api.call(method, path, body);
const refusal = (...request: Parameters<Api['request']>): Promise<unknown> => refusalTo(harness.api, ...request);
const refusalTo = async (api: Api, ...request: Parameters<Api['request']>): Promise<unknown> => {
  const answer = await api.request(...request);
  return { ...(answer.body as object), status: answer.status };
};

/** As curl sends it with -d. */
async function form(...request: FormRequest) {
  const { status, body } = await sendForm(harness, request);
  return { status, body: body as Shown & { readonly error: string; readonly code: string } };
}

describe('create', () => {
  test('A55: a form with name and configuration makes a configuration, as the interface shows it', async () => {
    const configuration = JSON.stringify({ variables: [{ name: 'limit', type: 'int' }] });
    const { status, body } = await form('POST', '/v2/storage/components/keboola.variables/configs', {
      name: 'My variables',
      configuration,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.any(String) as string,
      name: 'My variables',
      description: '',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/) as string,
      creatorToken: { id: 1, description: 'root token' },
      version: 1,
      changeDescription: 'Configuration created',
      isDisabled: false,
      isDeleted: false,
      configuration: { variables: [{ name: 'limit', type: 'int' }] },
      state: {},
      currentVersion: { changeDescription: 'Configuration created', creatorToken: { id: 1 } },
      rowsSortOrder: [],
      rows: [],
    });
    const stored = await harness.api.request(
      'GET',
      `/v2/storage/branch/default/components/variables/configs/${body.id}`,
    );
    expect(stored).toMatchObject({ status: 200, body });
  });

  test('A55: JSON is the same, an object as it is or its text', async () => {
    const parameters = { api: { baseUrl: 'https://example.com' } };
    const object = await call('POST', C, { name: 'a', configurationId: 'a', configuration: { parameters } });
    const text = await call('POST', C, { name: 'b', configuration: JSON.stringify({ parameters }) });
    expect(object.configuration).toEqual({ parameters });
    expect(text.configuration).toEqual({ parameters });
  });

  test.each([
    [{}, 'storage.components.validation'],
    [{ name: '' }, 'storage.components.validation'],
    [{ name: 'a', configuration: '{"a":' }, 'validation.invalidConfigurationFormat'],
    [{ name: 'a', configuration: '[1]' }, 'validation.invalidConfigurationFormat'],
    [{ name: 'a', configuration: 'text' }, 'validation.invalidConfigurationFormat'],
    [{ name: 'a', state: '"x"' }, 'validation.invalidStateFormat'],
    [{ name: 'a', configurationId: 'a/b' }, 'storage.components.validation'],
    [{ name: 'a', configurationId: '..' }, 'storage.components.validation'],
    [{ name: 'a', isDisabled: 'maybe' }, 'storage.components.validation'],
  ])('A55, D9: %j is refused with its code, as a form and as JSON', async (fields, code) => {
    expect(await form('POST', C, fields as Record<string, string>)).toMatchObject({ status: 400, body: { code } });
    expect(await refusal('POST', C, fields)).toMatchObject({ status: 400, code });
    expect(await harness.api.call('GET', C)).toEqual([]);
  });

  test('A55: a second configuration of one id is refused', async () => {
    await call('POST', C, { name: 'a', configurationId: 'main' });
    expect(await refusal('POST', C, { name: 'b', configurationId: 'main' })).toMatchObject({
      status: 400,
      code: 'configurationAlreadyExists',
    });
  });

  test('D8: a configuration of more than 4 MB is refused, one below is kept', async () => {
    const large = (bytes: number): object => ({ name: 'a', configuration: { parameters: { a: 'x'.repeat(bytes) } } });
    expect(await refusal('POST', C, large(4 * 1024 ** 2))).toMatchObject({ status: 413, code: 'payloadTooLarge' });
    const { id } = await call('POST', C, large(4 * 1024 ** 2 - 100));
    expect((await call('GET', `${C}/${id}`)).version).toBe(1);
  });

  test('A55: digits and the order of keys stay as they were written', async () => {
    const configuration = '{"parameters":{"10":1,"9":12345678901234567890,"a":1.50,"b":{}}}';
    const { body } = await form('POST', C, { name: 'a', configuration: configuration.replace(':{', ' : {') });
    expect((await harness.api.request('GET', `${C}/${body.id}`)).text).toContain(`"configuration": ${configuration}`);
    const raw = await fetch(`${harness.base}${C}`, {
      method: 'POST',
      headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json' },
      body: `{"name":"b","configuration":${configuration},"state":{"last":10000000000000001}}`,
    });
    const text = await raw.text();
    expect(text).toContain(`"configuration": ${configuration}`);
    expect(text).toContain('"state": {"last":10000000000000001}');
  });

  test('A55: what is not there has its code and text', async () => {
    const cases = [
      ['GET', `${C}/x`, 'Configuration "x" not found'],
      ['GET', `${C}/x/rows/1`, 'Configuration "x" not found'],
      ['DELETE', `${C}/x`, 'Configuration "x" not found'],
      ['GET', '/v2/storage/components/nothing/configs', 'Component "nothing" not found'],
    ] as const;
    for (const [method, path, error] of cases)
      expect(await refusal(method, path)).toMatchObject({ status: 404, code: 'notFound', error: `${error}.` });
    await call('POST', C, { name: 'a', configurationId: 'a' });
    expect(await refusal('GET', `${C}/a/rows/10433`)).toMatchObject({ status: 404, error: 'Row 10433 not found.' });
    expect(await refusal('GET', `${C}/a/versions/7`)).toMatchObject({ status: 404, code: 'notFound' });
  });
});

describe('versions', () => {
  beforeEach(async () => {
    await call('POST', C, { name: 'a', configurationId: 'a', configuration: { parameters: { n: 1 } } });
  });

  test('A56: only what is sent changes; nothing new makes no version, a state neither', async () => {
    expect(await call('PUT', `${C}/a`, { description: 'd' })).toMatchObject({
      name: 'a',
      version: 2,
      description: 'd',
    });
    expect(await call('PUT', `${C}/a`, { description: 'd', name: 'a' })).toMatchObject({ version: 2 });
    expect(await call('PUT', `${C}/a/state`, { state: { last: 1 } })).toMatchObject({ version: 2, state: { last: 1 } });
    const after = await call('PUT', `${C}/a`, { configuration: { parameters: { n: 2 } }, changeDescription: 'two' });
    expect(after).toMatchObject({ version: 3, changeDescription: 'two', state: { last: 1 } });
    const versions = await harness.api.call<Shown[]>('GET', `${C}/a/versions`);
    expect(versions.map(({ version, changeDescription }) => [version, changeDescription])).toEqual([
      [3, 'two'],
      [2, 'Configuration updated'],
      [1, 'Configuration created'],
    ]);
    expect(await harness.api.call('GET', `${C}/a/versions?limit=1&offset=1`)).toMatchObject([{ version: 2 }]);
    expect(await call('GET', `${C}/a/versions/1`)).toMatchObject({ configuration: { parameters: { n: 1 } } });
  });

  test('A56: a rollback brings definition and rows back under the next version, states stay', async () => {
    await call('POST', `${C}/a/rows`, { rowId: 'r', name: 'row', configuration: { parameters: { m: 1 } } });
    await call('PUT', `${C}/a/rows/r`, { configuration: { parameters: { m: 2 } }, state: { seen: 2 } });
    await call('PUT', `${C}/a`, { configuration: {}, state: { last: 9 } });
    expect(await harness.api.request('POST', `${C}/a/versions/2/rollback`)).toMatchObject({
      status: 201,
      body: { version: 5 },
    });
    expect(await call('GET', `${C}/a`)).toMatchObject({
      version: 5,
      changeDescription: 'Rollback to version 2',
      configuration: { parameters: { n: 1 } },
      state: { last: 9 },
      rows: [{ id: 'r', version: 3, configuration: { parameters: { m: 1 } }, state: { seen: 2 } }],
    });
  });

  test('A56: a copy is another configuration with the same rows', async () => {
    await call('POST', `${C}/a/rows`, { rowId: 'r', name: 'row' });
    const { id } = await call('POST', `${C}/a/versions/2/create`, { name: 'copied' });
    expect(id).not.toBe('a');
    expect(await call('GET', `${C}/${id}`)).toMatchObject({
      name: 'copied',
      version: 1,
      configuration: { parameters: { n: 1 } },
      rows: [{ id: 'r', name: 'row' }],
    });
  });

  test('A56: deleted it can be restored; deleted twice nothing of it is left', async () => {
    expect((await harness.api.request('DELETE', `${C}/a`)).status).toBe(204);
    expect(await refusal('GET', `${C}/a`)).toMatchObject({ status: 404 });
    expect(await harness.api.call('GET', C)).toEqual([]);
    expect(await harness.api.call('GET', `${C}?isDeleted=1`)).toMatchObject([
      { id: 'a', isDeleted: true, version: 2, changeDescription: 'Configuration deleted' },
    ]);
    expect(await call('POST', `${C}/a/restore`)).toMatchObject({ version: 3, isDeleted: false });
    expect(await refusal('POST', `${C}/a/restore`)).toMatchObject({ status: 404 });
    await harness.api.call('DELETE', `${C}/a`);
    await harness.api.call('DELETE', `${C}/a`);
    expect(await harness.api.call('GET', `${C}?isDeleted=1`)).toEqual([]);
    const { signal } = new AbortController();
    for (const collection of ['configuration', 'configuration-version'] as const)
      expect(await harness.dependencies.catalog.list({ collection, prefix: '' }, { signal })).toEqual([]);
    expect(await call('POST', C, { name: 'again', configurationId: 'a' })).toMatchObject({ version: 1 });
  });

  test('A56: created under the id of a deleted one it goes on with its versions, without its rows', async () => {
    await call('POST', `${C}/a/rows`, { rowId: 'r' });
    await harness.api.call('DELETE', `${C}/a`);
    expect(await call('POST', C, { name: 'new', configurationId: 'a' })).toMatchObject({
      version: 4,
      name: 'new',
      configuration: {},
      isDeleted: false,
      rows: [],
    });
  });

  test('A56: changes that come at once follow each other', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => ({ rowId: `r${index}` }));
    await Promise.all(rows.map((row) => call('POST', `${C}/a/rows`, row)));
    const after = await call('GET', `${C}/a`);
    expect(after.version).toBe(9);
    expect(after.rows.map(({ id }) => id).toSorted()).toEqual(rows.map(({ rowId }) => rowId));
  });
});

describe('rows', () => {
  const R = `${C}/a/rows`;

  beforeEach(async () => {
    await call('POST', C, { name: 'a', configurationId: 'a' });
  });

  test('A57: each change of a row is a version of it and of its configuration', async () => {
    const made = await call('POST', R, { name: 'first', configuration: { values: [{ name: 'x', value: '1' }] } });
    expect(made).toMatchObject({ version: 1, changeDescription: `Row ${made.id} added`, state: {}, isDisabled: false });
    expect(await call('PUT', `${R}/${made.id}`, { isDisabled: 'true' })).toMatchObject({
      version: 2,
      isDisabled: true,
    });
    expect(await call('PUT', `${R}/${made.id}`, { isDisabled: true })).toMatchObject({ version: 2 });
    expect(await call('PUT', `${R}/${made.id}/state`, { state: { a: 1 } })).toMatchObject({
      version: 2,
      state: { a: 1 },
    });
    expect(await call('GET', `${C}/a`)).toMatchObject({
      version: 3,
      rowsSortOrder: [made.id],
      rows: [{ state: { a: 1 } }],
    });
    expect(await harness.api.call('GET', R)).toMatchObject([{ id: made.id, version: 2 }]);
    expect((await harness.api.request('DELETE', `${R}/${made.id}`)).status).toBe(204);
    expect(await call('GET', `${C}/a`)).toMatchObject({ version: 4, rows: [] });
    expect(await refusal('GET', `${R}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('A57: a row id is given once', async () => {
    await call('POST', R, { rowId: 'r' });
    expect(await refusal('POST', R, { rowId: 'r' })).toMatchObject({ status: 400, code: 'configurationAlreadyExists' });
  });

  test('A57: a row has versions of its own, and goes back to one', async () => {
    await call('POST', R, { rowId: 'r', name: 'one' });
    await call('PUT', `${C}/a`, { name: 'between' });
    await call('PUT', `${R}/r`, { name: 'two' });
    const versions = await harness.api.call<Shown[]>('GET', `${R}/r/versions`);
    expect(versions).toMatchObject([
      { version: 2, name: 'two' },
      { version: 1, name: 'one' },
    ]);
    expect(await call('GET', `${R}/r/versions/1`)).toMatchObject({ name: 'one' });
    expect(await call('POST', `${R}/r/versions/1/rollback`)).toMatchObject({ version: 3, name: 'one' });
    expect(await call('POST', `${R}/r/versions/2/create`, { rowId: 's' })).toMatchObject({ id: 's', name: 'two' });
  });

  test('A57: the order of rows is changed by naming all of them', async () => {
    for (const rowId of ['r', 's']) await call('POST', R, { rowId });
    expect(await call('PUT', `${C}/a`, { rowsSortOrder: ['s', 'r'] })).toMatchObject({ rowsSortOrder: ['s', 'r'] });
    expect(await refusal('PUT', `${C}/a`, { rowsSortOrder: ['s'] })).toMatchObject({ status: 400 });
  });
});

test('A55: a branch has configurations of its own', async () => {
  const branch = C.replace('/components', '/branch/12/components');
  await call('POST', branch, { name: 'there', configurationId: 'a' });
  expect(await harness.api.call('GET', C)).toEqual([]);
  expect(await harness.api.call('GET', branch)).toMatchObject([{ id: 'a' }]);
});

test.each(['AAA', '0', '1.0', '%C2%84'])(
  'A55: the branch %s is none, also where nothing of it is looked at',
  async (branch) => {
    const components = `/v2/storage/branch/${branch}/components`;
    for (const path of [components, `${components}?componentType=none`, `${components}/generic-extractor`])
      expect([path, (await harness.api.request('GET', path)).status]).toEqual([path, 400]);
  },
);

test('A55: components are listed with their configurations, the index tells components and services', async () => {
  await call('POST', C, { name: 'a', configurationId: 'a', configuration: { parameters: {} } });
  expect(await harness.api.call('GET', '/v2/storage/components?include=configuration')).toMatchObject([
    { id: 'generic-extractor', type: 'extractor', configurations: [{ id: 'a', configuration: { parameters: {} } }] },
    { id: 'variables', configurations: [] },
    { id: 'shared-code', configurations: [] },
  ]);
  expect(await harness.api.call('GET', '/v2/storage/components/ex-generic-v2')).toMatchObject({
    id: 'generic-extractor',
  });
  expect(await (await fetch(`${harness.base}/v2/storage`)).json()).toMatchObject({
    services: [{ id: 'storage' }, { id: 'queue', url: harness.base }, { id: 'stream' }],
  });
});

describe('rights', () => {
  const issue = async (body: object): Promise<Api> =>
    as((await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', body)).token);
  const denied = { status: 403, code: 'accessDenied', error: "You don't have access to the resource." };

  test('A58: a read only token is refused at create before anything else, and reads', async () => {
    await call('POST', C, { name: 'a', configurationId: 'a' });
    const reader = await issue({ role: 'readOnly' });
    for (const body of [{ name: 'b' }, { name: 'b', configurationId: 'a' }, {}, undefined])
      expect(await refusalTo(reader, 'POST', C, body)).toMatchObject(denied);
    expect(await refusalTo(reader, 'PUT', `${C}/none`, {})).toMatchObject(denied);
    expect(await refusalTo(reader, 'DELETE', `${C}/a`, undefined)).toMatchObject(denied);
    expect(await reader.call('GET', `${C}/a`)).toMatchObject({ id: 'a' });
  });

  test('A58: componentAccess is for these components alone', async () => {
    const token = await issue({ componentAccess: ['keboola.variables'] });
    expect(await token.call('GET', '/v2/storage/tokens/verify')).toMatchObject({
      componentAccess: ['variables'],
      canManageBuckets: false,
      isMasterToken: false,
      admin: { role: 'limited' },
    });
    expect(await token.call('GET', '/v2/storage/components')).toMatchObject([{ id: 'variables' }]);
    expect(await token.call('POST', C.replace('generic-extractor', 'variables'), { name: 'v' })).toMatchObject({
      version: 1,
    });
    expect(await refusalTo(token, 'GET', C, undefined)).toMatchObject(denied);
    expect(await refusalTo(token, 'POST', C, { name: 'x' })).toMatchObject(denied);
    expect((await token.request('GET', '/v1/branches/default/sources')).status).toBe(403);
    expect((await token.request('POST', '/v2/storage/vault/variables', { name: 'a', value: 'b' })).status).toBe(403);
  });

  test('A58: canManageBuckets lets a limited token write all, without any right it sees none', async () => {
    const manager = await issue({ role: 'limited', canManageBuckets: true });
    expect(await manager.call('POST', C, { name: 'x' })).toMatchObject({ version: 1 });
    const nobody = await issue({ role: 'limited' });
    expect(await refusalTo(nobody, 'GET', '/v2/storage/components', undefined)).toMatchObject(denied);
  });

  test('D9: a component that is not there cannot be named in a token', async () => {
    expect(await refusal('POST', '/v2/storage/tokens', { componentAccess: ['x'] })).toMatchObject({
      status: 400,
      code: 'storage.tokens.invalidPermissions',
    });
  });
});
