import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText, matching } from '../../test/support/matching.ts';
import { makeOtlp } from '../../test/support/otlp-source.ts';

const S = '/v1/branches/default/sources';
const columns = [
  { type: 'path', name: 'a', path: 'a.b' },
  { type: 'ip', name: 'ip' },
  { type: 'headers', name: 'headers' },
];
const template = (name: string, content: string, rawString = false) => ({
  type: 'template',
  name,
  rawString,
  template: { language: 'jsonnet', content },
});
const computed = [
  template('sum', 'Body("price") * Body("count", 1)'),
  template('who', 'Body("who") + " " + Header("X-Shop", "none")', true),
  template('day', 'Now("%Y")'),
];
const fallback = [{ type: 'path', name: 'a', path: 'a.b', defaultValue: 'none', rawString: true }];

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  const sinks = [
    { name: 'strict', table: { tableId: 'in.c-t.strict', mapping: { columns } } },
    { name: 'kind', table: { tableId: 'in.c-t.kind', mapping: { columns: fallback } } },
  ];
  await harness.api.task('POST', S, { type: 'http', name: 'web', sinks });
  const sums = { name: 'sums', table: { tableId: 'in.c-t.sums', mapping: { columns: computed } } };
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [sums] });
  const traces = {
    name: 'traces',
    allowedSignals: ['traces'],
    table: { tableId: 'in.c-t.traces', mapping: { columns: fallback } },
  };
  await harness.api.task('POST', S, { type: 'http', name: 'tele', sinks: [traces] });
  await makeOtlp(harness.dependencies.catalog, 'tele');
  await harness.api.task('PUT', `${S}/web/sinks/kind/disable`);
});

afterAll(() => harness[Symbol.asyncDispose]());

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const all = { 'Content-Type': 'application/json', 'X-StorageApi-Token': rootToken, ...headers };
  const response = await describedFetch(`${harness.base}${S}/${path}`, { method: 'POST', headers: all, body });
  return { status: response.status, text: await response.text() };
}

test('A24: every sink shows its columns, disabled ones are marked; nothing is stored', async () => {
  const { status, text } = await post('web/test', '{"a":{"b":"x"}}');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    projectId: 7,
    tables: [
      { sinkId: 'kind', disabled: true, rows: [{ columns: [{ name: 'a', value: 'x' }] }] },
      {
        sinkId: 'strict',
        tableId: 'in.c-t.strict',
        rows: [{ columns: [{ name: 'a', value: '"x"' }, { name: 'ip' }, {}] }],
      },
    ],
  });
  expect(
    await harness.dependencies.sourceLog.ranges('source.1.web', { signal: new AbortController().signal }),
  ).toMatchObject([{ durableEnd: 0 }]);
});

test('A24: one column that cannot be rendered makes it 422, and the others are shown', async () => {
  const { status, text } = await post('web/test', '{}');
  expect(status).toBe(422);
  expect(JSON.parse(text)).toMatchObject({
    error: 'stream.api.unprocessableContent',
    message: matching(/^Invalid value for column "a" of sink "strict": .*path "a\.b" not found in the body/),
    tables: [
      { rows: [{ columns: [{ value: 'none' }] }] },
      { rows: [{ columns: [{ name: 'a', error: anyText }, {}, {}] }] },
    ],
  });
});

test('A24: templates show their values, and what fails its place and message', async () => {
  const good = await post('shop/test', '{"price":2.5,"count":3,"who":"Ada"}', { 'X-Shop': '7' });
  expect(good.status).toBe(200);
  expect(JSON.parse(good.text)).toMatchObject({
    tables: [{ rows: [{ columns: [{ value: '7.5' }, { value: 'Ada 7' }, { value: matching(/^"\d{4}"$/) }] }] }],
  });
  const bad = await post('shop/test', '{"price":2.5}');
  expect(bad.status).toBe(422);
  expect(JSON.parse(bad.text)).toMatchObject({
    message:
      'Invalid value for column "who" of sink "sums": 1:1-12 path "who" not found in the body, which was read as JSON, as its Content-Type says.',
    tables: [
      {
        rows: [
          {
            columns: [
              { value: '2.5' },
              { error: '1:1-12 path "who" not found in the body, which was read as JSON, as its Content-Type says' },
              {},
            ],
          },
        ],
      },
    ],
  });
});

test('A24: a batch shows a row for each of its events, and which of them fails', async () => {
  const type = { 'Content-Type': 'application/x-ndjson' };
  const lines = await post('web/test', '{"a":{"b":1}}\n{}\n', type);
  expect(lines.status).toBe(422);
  expect(JSON.parse(lines.text)).toMatchObject({
    message: matching(/^Invalid value for column "a" of sink "strict" in event 2 of 2: /),
    tables: [
      { rows: [{ columns: [{ value: '1' }] }, { columns: [{ value: 'none' }] }] },
      { rows: [{ columns: [{ value: '1' }, {}, {}] }, { columns: [{ name: 'a', error: anyText }, {}, {}] }] },
    ],
  });
  const array = await post('web/test?batch=array', '[{"a":{"b":1}}]');
  expect(JSON.parse(array.text)).toMatchObject({ tables: [{ rows: [{}] }, { rows: [{}] }] });
  expect(await post('web/test?batch=array', '[{"a":{"b":1}}')).toMatchObject({
    status: 400,
    text: matching(/The JSON array is cut or broken/),
  });
});

test('A4: the sender is the right-most address that is no trusted proxy; the token is not among the headers', async () => {
  const { text } = await post('web/test', '{"a":{"b":1}}', {
    'X-Forwarded-For': '1.1.1.1, 9.9.9.9',
    Authorization: 'Basic abc',
  });
  const { tables } = JSON.parse(text) as { tables: { rows: { columns: { value: string }[] }[] }[] };
  const [, ip, headers] = tables[1]?.rows[0]?.columns ?? [];
  expect(ip?.value).toBe('9.9.9.9');
  expect(JSON.parse(headers?.value ?? '')).toMatchObject({ Authorization: 'Basic abc' });
  expect(text).not.toContain(rootToken);
  const bearer = await describedFetch(`${harness.base}${S}/web/test`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${rootToken}` },
    body: '{}',
  });
  expect(await bearer.text()).not.toContain(rootToken);
  const both = await post('web/test', '{}', { 'X-StorageApi-Token': '', Authorization: `Bearer ${rootToken}` });
  expect(both.status).toBe(422);
  expect(both.text).not.toContain(rootToken);
});

test('an OTLP test is of the signal that is asked for, logs unless it says so, for the sinks that take it', async () => {
  const sinks = [
    { name: 'logs', allowedSignals: ['logs'] },
    { name: 'metrics', allowedSignals: ['metrics'] },
    { name: 'traces', allowedSignals: ['traces'] },
    { name: 'both', allowedSignals: ['logs', 'traces'] },
    { name: 'all' },
  ].map((sink) => ({ ...sink, table: { tableId: `in.c-signals.${sink.name}`, mapping: { columns: fallback } } }));
  await harness.api.task('POST', S, { type: 'otlp', name: 'signals', sinks });
  const tables = async (query: string): Promise<readonly string[]> => {
    const { status, text } = await post(`signals/test${query}`, '{"a":{"b":1}}');
    expect(status).toBe(200);
    const found = (JSON.parse(text) as { tables: { tableId: string }[] }).tables;
    return found.map(({ tableId }) => tableId.replace('in.c-signals.', '')).toSorted();
  };
  expect(await tables('')).toEqual(['all', 'both', 'logs']);
  expect(await tables('?signal=logs')).toEqual(['all', 'both', 'logs']);
  expect(await tables('?signal=metrics')).toEqual(['all', 'metrics']);
  expect(await tables('?signal=traces')).toEqual(['all', 'both', 'traces']);
  const other = await post('signals/test?signal=profiles', '{}');
  expect(other.status).toBe(400);
  expect(other.text).toContain('signal');
});

test('an OTLP test takes one flattened record and leaves sinks of other signals out', async () => {
  expect(JSON.parse((await post('tele/test', '{"a":{"b":1}}')).text)).toMatchObject({ tables: [] });
  const traces = await post('tele/test?signal=traces', '{"a":{"b":1}}', { 'Content-Type': 'text/plain' });
  expect(JSON.parse(traces.text)).toMatchObject({ tables: [{ rows: [{ columns: [{ name: 'a', value: '1' }] }] }] });
  expect(await post('tele/test?signal=traces', '')).toMatchObject({ status: 200 });
  expect(await post('tele/test', '[]')).toMatchObject({
    status: 400,
    text: matching(/one flattened record/),
  });
  expect(await post('tele/test', '{')).toMatchObject({ status: 400 });
});
