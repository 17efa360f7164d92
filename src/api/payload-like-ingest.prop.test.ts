import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { startIngest, testSource, type IngestHarness } from '../../test/support/ingest-harness.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import type { Column } from '../core/column.ts';
import { parseIncarnation } from '../core/ids.ts';
import { parseTableId } from '../core/table-id.ts';
import { encoded, encoderNames, type Encoder } from '../../test/support/encoded.ts';
import { batchModes, type BatchMode } from '../events/split-events.ts';
import { compileMapping } from '../mapping/compile-mapping.ts';
import { eventOfRecord } from '../mapping/event-of-record.ts';
import { createTemplates } from '../mapping/jsonnet-templates.ts';
import { renderColumns, type RenderedColumn } from '../mapping/render-columns.ts';
import type { NewRecord } from '../ports/event-log.ts';

const S = '/v1/branches/default/sources';
const template = (name: string, content: string) =>
  ({ type: 'template', name, rawString: false, template: { language: 'jsonnet', content } }) as const;
const columns: readonly Column[] = [
  { type: 'body', name: 'body' },
  { type: 'headers', name: 'headers' },
  { type: 'ip', name: 'ip' },
  { type: 'path', name: 'path', path: 'a', rawString: false },
  template('field', 'Body("a")'),
  template('header', 'Header("X-Name", Header("Content-Type", "none"))'),
];

let admin: AdminHarness;
let ingest: IngestHarness;

beforeAll(async () => {
  admin = await startAdmin();
  ingest = await startIngest([testSource()], { maxBodyBytes: 1024 * 1024, trustedProxies: ['127.0.0.1'] });
  const sink = { name: 'all', table: { tableId: 'in.c-t.all', mapping: { columns } } };
  await admin.api.task('POST', S, { type: 'http', name: 'orders', sinks: [sink] });
});

afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await ingest[Symbol.asyncDispose]();
});

interface Settings {
  readonly batch: BatchMode;
  readonly contentType: 'auto' | 'header';
  readonly defaultContentType: string;
}

async function configure(settings: Settings): Promise<void> {
  ingest.setSources([testSource(settings)]);
  const own = [
    { key: 'ingest.batch', value: settings.batch },
    { key: 'ingest.contentType', value: settings.contentType },
    { key: 'ingest.defaultContentType', value: settings.defaultContentType },
  ];
  const answer = await admin.api.request('PATCH', `${S}/orders/settings`, { settings: own });
  expect(answer.status).toBe(200);
}

interface Request {
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The same bytes, but for the path and what authenticates. */
function bytesOf({ query, headers, body }: Request, path: string, own: readonly string[]): Buffer {
  const lines = [`POST ${path}${query} HTTP/1.1`, 'Host: events.test', ...own];
  const all = [...lines, ...headers.map(([name, value]) => `${name}: ${value}`), `Content-Length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`), body]);
}

type Shown = { readonly status: number } | { readonly rows: readonly (readonly RenderedColumn[])[] };

async function stored(request: Request): Promise<Shown> {
  const before = ingest.records().length;
  using client = await ingest.connect();
  await client.send(bytesOf(request, ingest.path, []));
  const answer = await client.answer();
  if (answer?.status !== 200) return { status: answer?.status ?? 0 };
  return { rows: ingest.records().slice(before).map(rowOf) };
}

function rowOf({ value, headers, sharedHeaders = [], timestamp }: NewRecord): readonly RenderedColumn[] {
  const mapping = {
    incarnation: parseIncarnation(1),
    version: 1,
    tableId: parseTableId('in.c-t.all'),
    columns,
    allowedSignals: [],
  };
  const compiled = compileMapping(mapping, { templates: createTemplates() });
  const place = { topic: 'source.1.orders', partition: 0, offset: 0 };
  const event = eventOfRecord({ value, headers: [...headers, ...sharedHeaders], timestamp }, place);
  return [...renderColumns(compiled, event)];
}

async function tested(request: Request): Promise<Shown> {
  using client = await RawClient.connect(Number(new URL(admin.base).port));
  await client.send(bytesOf(request, `${S}/orders/test`, [`X-StorageApi-Token: ${rootToken}`]));
  const answer = await client.answer();
  const { status = 0, body = '' } = answer ?? {};
  if (status !== 200 && status !== 422) return { status };
  const { tables } = JSON.parse(Buffer.from(body, 'latin1').toString()) as {
    readonly tables: readonly { readonly rows: readonly { readonly columns: readonly RenderedColumn[] }[] }[];
  };
  return { rows: tables[0]?.rows.map((row) => row.columns) ?? [] };
}

const json = fc.constantFrom('{"a":1}', '{"a":"ü"}', '[1,{"a":2}]', '{', '', '"x"', '{"b":[]}');
const body = fc.oneof(
  json,
  fc.array(json, { maxLength: 4 }).map((lines) => lines.join('\n')),
  fc.array(json, { maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
  fc.constantFrom(
    '{"a":[{"a":1},2]}',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n\0\r\n--b--\r\n',
    'a=1&a[]=2',
    '\ufeff{"a":1}\n\n{"a":2}\r\n',
    'plain text',
  ),
);
const contentType = fc.constantFrom(
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=b',
);
const header = fc.constantFrom<readonly [string, string]>(
  ['X-Forwarded-For', '1.2.3.4, 9.9.9.9'],
  ['X-Latin', 'ä'],
  ['X-Name', 'žluť'],
  ['millrace-id', '0190a5b0-0000-7000-8000-000000000000'],
  ['Millrace-Format', 'json'],
  ['Authorization', 'Basic abc'],
  ['Authorization', 'Bearer else'],
  ['Cookie', 'a=1'],
  ['Content-Encoding', 'identity'],
);
interface Encoding {
  readonly names: readonly Encoder[];
  /** What the header says beside them. */
  readonly told: readonly string[];
  readonly cutBytes: number;
}
const encoding: fc.Arbitrary<Encoding | undefined> = fc.option(
  fc.record({
    names: fc.array(fc.constantFrom(...encoderNames), { minLength: 1, maxLength: 2 }),
    told: fc.constantFrom<readonly string[]>([], [], ['identity'], ['compress'], ['gzip']),
    cutBytes: fc.constantFrom(0, 0, 0, 1),
  }),
  { nil: undefined },
);

function inEncoding(body: Buffer, { names, cutBytes }: Encoding): Buffer {
  const bytes = encoded(body, names);
  return bytes.subarray(0, bytes.length - cutBytes);
}

const request: fc.Arbitrary<Request> = fc
  .record({
    query: fc.constantFrom(
      '',
      ...batchModes.map((mode) => `?batch=${mode}`),
      '?batch=nope',
      '?batch=path:a',
      '?batch=path:a..b',
    ),
    type: fc.option(contentType, { nil: undefined }),
    headers: fc.array(header, { maxLength: 4 }),
    body,
    encoding,
  })
  .map(({ query, type, headers, body, encoding: by }) => ({
    query,
    headers: [
      ...(type === undefined ? [] : [['Content-Type', type] as const]),
      ...headers,
      ...(by === undefined ? [] : [['Content-Encoding', [...by.names, ...by.told].join()] as const]),
    ],
    body: by === undefined ? Buffer.from(body) : inEncoding(Buffer.from(body), by),
  }));

test('A24: the test endpoint shows what ingest stores of the same request, and refuses what it refuses', async () => {
  const settings = fc.record({
    batch: fc.constantFrom(...batchModes),
    contentType: fc.constantFrom('auto', 'header'),
    defaultContentType: fc.constantFrom('', 'application/json', 'application/x-www-form-urlencoded'),
  });
  await fc.assert(
    fc.asyncProperty(settings, fc.array(request, { minLength: 1, maxLength: 6 }), async (source, requests) => {
      await configure(source);
      for (const one of requests) expect(await tested(one)).toEqual(await stored(one));
    }),
    { numRuns: 40 },
  );
});

test('A24: the test endpoint takes as much as ingest takes', async () => {
  await configure({ batch: 'off', contentType: 'auto', defaultContentType: '' });
  const sized = (bytes: number): Request => ({ query: '', headers: [], body: Buffer.alloc(bytes, 'x') });
  const most = 1024 * 1024;
  expect(await tested(sized(most))).toEqual(await stored(sized(most)));
  for (const bytes of [most + 1, 3 * most]) {
    expect(await stored(sized(bytes))).toEqual({ status: 413 });
    expect(await tested(sized(bytes))).toEqual({ status: 413 });
  }
  for (const bytes of [most, most + 1, 30 * most]) {
    const body = encoded(sized(bytes).body, ['zstd']);
    const compressed: Request = { query: '', headers: [['Content-Encoding', 'zstd']], body };
    const answer = await tested(compressed);
    expect(answer).toEqual(await stored(compressed));
    expect('status' in answer ? answer.status : 200).toBe(bytes === most ? 200 : 413);
  }
  const crowded: Request = { ...sized(1), headers: Array.from({ length: 300 }, (_, at) => [`x-${at}`, '1'] as const) };
  expect(await tested(crowded)).toEqual(await stored(crowded));
  const lines: Request = { query: '?batch=lines', headers: [], body: Buffer.from('1\n'.repeat(10_001)) };
  expect(await tested(lines)).toEqual({ status: 413 });
  expect(await stored(lines)).toEqual({ status: 413 });
});
