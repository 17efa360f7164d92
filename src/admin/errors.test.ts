import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { startAdmin, rootToken, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText, matching } from '../../test/support/matching.ts';

const S = '/v1/branches/default/sources';
const K = `${S}/shop/sinks`;
const columns = [{ type: 'uuid', name: 'id' }];
const table = { tableId: 'in.c-shop.orders', mapping: { columns } };
const withTable = (changes: object): object => ({ name: 'other', table: { ...table, ...changes } });
const withColumns = (...list: object[]): object => withTable({ mapping: { columns: list } });

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
});

afterAll(() => harness[Symbol.asyncDispose]());

interface Case {
  readonly rule: string;
  readonly at: string;
  readonly body?: unknown;
  readonly status: number;
  readonly error: string;
  readonly message: string | RegExp;
}

const cases: readonly Case[] = [
  {
    rule: 'an enum names its values',
    at: `POST ${S}`,
    body: { type: 'foo', name: 'x' },
    status: 400,
    error: 'invalidEnumValue',
    message: 'Value of body.type must be one of "http", "otlp" but got value "foo".',
  },
  {
    rule: 'a missing field is named',
    at: `POST ${S}`,
    body: { type: 'http' },
    status: 400,
    error: 'missingField',
    message: '"name" is missing from body.',
  },
  {
    rule: 'a nested missing field is named with its parent',
    at: `POST ${K}`,
    body: { name: 'x', table: { mapping: { columns } } },
    status: 400,
    error: 'missingField',
    message: '"tableId" is missing from body.table.',
  },
  {
    rule: 'an empty name',
    at: `POST ${S}`,
    body: { type: 'http', name: '' },
    status: 400,
    error: 'invalidLength',
    message: 'Length of body.name must be greater or equal than 1 but got value "" (len=0)',
  },
  {
    rule: 'a long id',
    at: `POST ${S}`,
    body: { type: 'http', name: 'x', sourceId: 'y'.repeat(49) },
    status: 400,
    error: 'invalidLength',
    message: `Length of body.sourceId must be lesser or equal than 48 but got value "${'y'.repeat(49)}" (len=49)`,
  },
  {
    rule: 'several errors are lines',
    at: `POST ${S}`,
    body: { type: 'foo', name: '' },
    status: 400,
    error: 'invalidEnumValue',
    message: /^- Value of body\.type .*\.\n- Length of body\.name .*\(len=0\)$/s,
  },
  {
    rule: 'a wrong type',
    at: `POST ${S}`,
    body: { type: 'http', name: 5 },
    status: 400,
    error: 'invalidFieldType',
    message: 'Value of body.name must be a string but got 5.',
  },
  {
    rule: 'a body that is no object',
    at: `POST ${S}`,
    body: [],
    status: 400,
    error: 'invalidFieldType',
    message: /body must be an object/,
  },
  {
    rule: 'a name without a letter',
    at: `POST ${S}`,
    body: { type: 'http', name: '!!!' },
    status: 400,
    error: 'badRequest',
    message: /^"sourceId" must not be empty: .* "!!!" has none; give a "sourceId"/,
  },
  {
    rule: 'a text that not every store can keep',
    at: `POST ${S}`,
    body: { type: 'http', name: 'a\0b', description: '\ud800' },
    status: 400,
    error: 'invalidFormat',
    message: /^- Invalid value of body\.name: .* U\+0000\.\n- Invalid value of body\.description: .*surrogate/,
  },
  {
    rule: 'a list with a hole',
    at: `POST ${K}`,
    body: { name: 'x', table: { ...table, mapping: { columns: [null] } } },
    status: 400,
    error: 'invalidFieldType',
    message: 'Value of body.table.mapping.columns[0] must be an object but got null.',
  },
  {
    rule: 'a path without end',
    at: `POST ${K}`,
    body: withColumns({ type: 'path', name: 'p', path: 'a'.repeat(4097) }),
    status: 400,
    error: 'invalidLength',
    message: /^Length of body\.table\.mapping\.columns\[0\]\.path must be lesser or equal than 4096/,
  },
  {
    rule: 'a default value without end',
    at: `POST ${K}`,
    body: withColumns({ type: 'path', name: 'p', path: 'a', defaultValue: 'a'.repeat(65_537) }),
    status: 400,
    error: 'invalidLength',
    message: /^Length of body\.table\.mapping\.columns\[0\]\.defaultValue must be lesser or equal than 65536/,
  },
  {
    rule: 'a source that exists',
    at: `POST ${S}`,
    body: { type: 'http', name: 'shop' },
    status: 409,
    error: 'sourceAlreadyExists',
    message: 'Source "shop" already exists in the branch.',
  },
  {
    rule: 'a sink that exists',
    at: `POST ${K}`,
    body: { name: 'orders', table },
    status: 409,
    error: 'sinkAlreadyExists',
    message: 'Sink "orders" already exists in the source.',
  },
  {
    rule: 'the same sink twice in one body',
    at: `POST ${S}`,
    body: {
      type: 'http',
      name: 'n',
      sinks: [
        { name: 'a', table },
        { name: 'A', table },
      ],
    },
    status: 400,
    error: 'badRequest',
    message: 'Sink "a" is in body.sinks twice.',
  },
  {
    rule: 'no table',
    at: `POST ${K}`,
    body: { name: 'x' },
    status: 400,
    error: 'badRequest',
    message: '"table" must be configured for the "table" sink type.',
  },
  {
    rule: 'no columns',
    at: `POST ${K}`,
    body: withColumns(),
    status: 400,
    error: 'invalidLength',
    message: 'Length of body.table.mapping.columns must be greater or equal than 1 but got value [] (len=0)',
  },
  {
    rule: '101 columns',
    at: `POST ${K}`,
    body: withColumns(...Array.from({ length: 101 }, (_, at) => ({ type: 'uuid', name: `c${at}` }))),
    status: 400,
    error: 'invalidLength',
    message: /lesser or equal than 100.*\(len=101\)/s,
  },
  {
    rule: 'an unknown column type',
    at: `POST ${K}`,
    body: withColumns({ type: 'id', name: 'x' }),
    status: 400,
    error: 'invalidEnumValue',
    message: /^Value of body\.table\.mapping\.columns\[0\]\.type must be one of "uuid"/,
  },
  {
    rule: 'a path column without path',
    at: `POST ${K}`,
    body: withColumns({ type: 'path', name: 'x' }),
    status: 400,
    error: 'badRequest',
    message: 'Column "x" is missing path.',
  },
  {
    rule: 'a template column without template',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'x' }),
    status: 400,
    error: 'badRequest',
    message: 'Column "x" is missing template.',
  },
  {
    rule: 'a template in another language',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'x', template: { language: 'lua', content: '1' } }),
    status: 400,
    error: 'invalidEnumValue',
    message: /^Value of body\.table\.mapping\.columns\[0\]\.template\.language must be one of "jsonnet"/,
  },
  {
    rule: 'a template without text',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'x', template: { language: 'jsonnet', content: '' } }),
    status: 400,
    error: 'invalidLength',
    message: /^Length of body\.table\.mapping\.columns\[0\]\.template\.content must be greater or equal than 1/,
  },
  {
    rule: 'a template over 4096 characters',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'x', template: { language: 'jsonnet', content: '1'.repeat(4097) } }),
    status: 400,
    error: 'invalidLength',
    message: /template\.content must be lesser or equal than 4096/,
  },
  {
    rule: 'a template with an unknown variable',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'jsonnet', template: { language: 'jsonnet', content: 'Invalid' } }),
    status: 400,
    error: 'badRequest',
    message: 'Column "jsonnet" template is invalid: 1:1-8 Unknown variable: Invalid.',
  },
  {
    rule: 'a template that is no jsonnet',
    at: `POST ${K}`,
    body: withColumns({ type: 'template', name: 'x', template: { language: 'jsonnet', content: '{\n  a: 1 +\n}' } }),
    status: 400,
    error: 'badRequest',
    message: /^Column "x" template is invalid: 3:1-2 /,
  },
  {
    rule: 'a template that imports',
    at: `POST ${K}`,
    body: withColumns({
      type: 'template',
      name: 'x',
      template: { language: 'jsonnet', content: 'import "/etc/passwd"' },
    }),
    status: 400,
    error: 'badRequest',
    message: 'Column "x" template is invalid: 1:1-7 imports are not enabled.',
  },
  {
    rule: 'a column name twice',
    at: `POST ${K}`,
    body: withColumns({ type: 'uuid', name: 'x' }, { type: 'ip', name: 'x' }),
    status: 400,
    error: 'badRequest',
    message: /^Column "x" is defined twice/,
  },
  {
    rule: 'a table id of two parts',
    at: `POST ${K}`,
    body: withTable({ tableId: 'a.b' }),
    status: 400,
    error: 'badRequest',
    message:
      'Invalid "tableId" value "a.b": invalid table ID "a.b": unexpected number of fragments, must be "stage.bucket.table".',
  },
  {
    rule: 'a stage that there is not',
    at: `POST ${K}`,
    body: withTable({ tableId: 'a.b.c' }),
    status: 400,
    error: 'badRequest',
    message: /unexpected stage "a"/,
  },
  {
    rule: 'the bucket of dead letters',
    at: `POST ${K}`,
    body: withTable({ tableId: 'sys.c-millrace.dead_letters' }),
    status: 400,
    error: 'badRequest',
    message: /kept for dead letters/,
  },
  {
    rule: 'a branch that is none',
    at: 'GET /v1/branches/x/sources',
    status: 400,
    error: 'badRequest',
    message: 'Invalid branch: expected "default" or <int>, given "x".',
  },
  {
    rule: 'a page of none',
    at: `GET ${S}?limit=0`,
    status: 400,
    error: 'invalidRange',
    message: /"limit" must be greater or equal than 1/,
  },
  {
    rule: 'a page that is no number',
    at: `GET ${S}?limit=ten`,
    status: 400,
    error: 'invalidFieldType',
    message: 'Invalid value "ten" for "limit", must be an integer.',
  },
  {
    rule: 'an unknown source',
    at: `GET ${S}/none`,
    status: 404,
    error: 'sourceNotFound',
    message: 'Source "none" not found in the branch.',
  },
  {
    rule: 'a source id with a slash',
    at: `GET ${S}/a%2Fb`,
    status: 404,
    error: 'sourceNotFound',
    message: 'Source "a/b" not found in the branch.',
  },
  {
    rule: 'an unknown sink',
    at: `PATCH ${K}/none`,
    body: {},
    status: 404,
    error: 'sinkNotFound',
    message: 'Sink "none" not found in the source.',
  },
  {
    rule: 'a sink of an unknown source',
    at: `GET ${S}/none/sinks/x/progress`,
    status: 404,
    error: 'sourceNotFound',
    message: 'Source "none" not found in the branch.',
  },
  {
    rule: 'an unknown task',
    at: 'GET /v1/tasks/api.create.source/1/x',
    status: 404,
    error: 'taskNotFound',
    message: 'Task "api.create.source/1/x" not found.',
  },
  {
    rule: 'an unknown path',
    at: 'GET /foo/bar',
    status: 404,
    error: 'endpointNotFound',
    message: 'No endpoint found for path "/foo/bar".',
  },
  {
    rule: 'a malformed percent',
    at: `GET ${S}/%E0%A4%A`,
    status: 400,
    error: 'badRequest',
    message: /percent encoding/,
  },
  {
    rule: 'another method',
    at: `PUT ${S}`,
    status: 405,
    error: 'methodNotAllowed',
    message: `Method PUT is not offered for path "${S}", use GET, HEAD, POST, OPTIONS.`,
  },
  {
    rule: 'the id of a list',
    at: `POST ${S}`,
    body: { type: 'http', name: 'Deleted' },
    status: 400,
    error: 'badRequest',
    message: /^"sourceId" must not be "deleted"/,
  },
  {
    rule: 'cascade',
    at: `DELETE ${S}/shop?cascade=perhaps`,
    status: 400,
    error: 'invalidEnumValue',
    message: /cascade.*"true", "false".*"perhaps"/,
  },
  {
    rule: 'a setting out of range (A5)',
    at: `PATCH ${K}/orders/settings`,
    body: { settings: [{ key: 'storage.level.target.import.trigger.interval', value: '1s' }] },
    status: 400,
    error: 'badRequest',
    message: /storage\.level\.target\.import\.trigger\.interval.*30s/,
  },
  {
    rule: 'a setting twice',
    at: `PATCH ${K}/orders/settings`,
    body: {
      settings: [
        { key: 'storage.level.staging.upload.trigger.count', value: 1 },
        { key: 'storage.level.staging.upload.trigger.count', value: 2 },
      ],
    },
    status: 400,
    error: 'badRequest',
    message: /is defined multiple times/,
  },
  {
    rule: 'a protected setting',
    at: `PATCH ${S}/shop/settings`,
    body: { settings: [{ key: 'storage.level.local.encoding.compression.gzip.blockSize', value: '1MB' }] },
    status: 403,
    error: 'forbidden',
    message: 'Cannot modify protected keys: "storage.level.local.encoding.compression.gzip.blockSize".',
  },
  {
    rule: 'a signal that there is not',
    at: `POST ${S}/shop/test?signal=x`,
    body: {},
    status: 400,
    error: 'invalidEnumValue',
    message: /^Value of query\.signal must be one of "logs"/,
  },
];

describe('D9: a request that breaks a rule is told field, value and rule', () => {
  test.each(cases)('$rule: $at', async ({ at, body, status, error, message }) => {
    const [method = '', path = ''] = at.split(' ');
    const answer = await harness.api.request(method, path, body);
    expect(answer.body).toMatchObject({ statusCode: status, error: `stream.api.${error}` });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: typeof message === 'string' ? message : matching(message) });
  });

  const raw = (path: string, init: RequestInit) => describedFetch(`${harness.base}${path}`, init);
  const token = { 'X-StorageApi-Token': rootToken };

  test('a body that is not JSON names the position', async () => {
    const headers = { ...token, 'Content-Type': 'application/json; charset=utf-8' };
    const answer = await raw(S, { method: 'POST', headers, body: '{"name": x}' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'stream.api.decodePayload',
      message: matching(/unexpected character 'x' at 1:10/),
    });
  });

  test.each([
    { rule: 'no body', body: '', status: 400, name: 'missingPayload' },
    {
      rule: 'another type',
      headers: { 'Content-Type': 'text/csv' },
      body: '{}',
      status: 415,
      name: 'unsupportedMediaType',
    },
    { rule: 'bytes that are not UTF-8', body: new Uint8Array([0x22, 0xff, 0x22]), status: 400, name: 'decodePayload' },
    { rule: 'a body over the limit', body: 'x'.repeat(9 * 1024 * 1024), status: 413, name: 'payloadTooLarge' },
    {
      rule: 'an unknown encoding',
      headers: { 'Content-Encoding': 'lzma' },
      body: '{}',
      status: 415,
      name: 'unsupportedMediaType',
    },
    {
      rule: 'a broken gzip body',
      headers: { 'Content-Encoding': 'gzip' },
      body: '{}',
      status: 400,
      name: 'decodePayload',
    },
    {
      rule: 'much from a stranger',
      headers: { 'X-StorageApi-Token': '' },
      body: 'x'.repeat(70_000),
      status: 413,
      name: 'payloadTooLarge',
    },
  ])('$rule', async ({ headers = {}, body, status, name }) => {
    const answer = await raw(S, {
      method: 'POST',
      headers: { ...token, 'Content-Type': 'application/json', ...headers },
      body,
    });
    expect(await answer.json()).toMatchObject({ statusCode: status, error: `stream.api.${name}` });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    ['no Host', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['an odd expectation', 'GET /v1 HTTP/1.1\r\nHost: a\r\nExpect: rain\r\nConnection: close\r\n\r\n', '417'],
    ['headers over the limit', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s on the wire is answered and cut', async (_, sent, status) => {
    const socket = connect(Number(new URL(harness.base).port), '127.0.0.1');
    socket.end(sent);
    let received = '';
    for await (const chunk of socket.setEncoding('utf8')) received += String(chunk);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"statusCode": ${status}`, 's'));
  });

  test('A13: a missing and a wrong token are 401, after the body and the path were checked', async () => {
    for (const headers of [
      {},
      { 'X-StorageApi-Token': 'wrong' },
      { Authorization: 'Basic abc' },
      { Authorization: 'Bearer 7-2-x' },
    ]) {
      const answer = await raw(S, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: 'stream.api.unauthorized' });
    }
    const invalid = await raw(S, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    expect(invalid.status).toBe(400);
    expect((await raw(S, { headers: { authorization: `bearer ${rootToken}` } })).status).toBe(200);
  });

  test('storage paths answer in the storage shape, and never show the token', async () => {
    const missing = await raw('/v2/storage/tables', {});
    expect(missing.status).toBe(401);
    expect(await missing.json()).toMatchObject({
      code: '',
      error: matching(/^Access token must be set/),
      status: 'error',
    });
    const wrong = await (await raw('/v2/storage/tables', { headers: { 'X-StorageApi-Token': 'wrong-one' } })).text();
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

  test('error bodies escape what a browser would take for a tag', async () => {
    const { text } = await harness.api.request('GET', `${S}?limit=<b>%26`);
    expect(text).toContain('\\u003cb');
    expect(text).not.toMatch(/[<>&]/);
  });

  test('A26: an allowed origin may call with every method, another one may not', async () => {
    const preflight = (origin: string) =>
      raw(`${S}/shop/disable`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
      });
    const allowed = await preflight('https://app.test');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-StorageApi-Token');
    expect((await preflight('https://evil.test')).headers.get('access-control-allow-origin')).toBeNull();
    const read = await raw(S, { headers: { ...token, Origin: 'https://app.test' } });
    expect(read.headers.get('access-control-allow-origin')).toBe('https://app.test');
  });
});
