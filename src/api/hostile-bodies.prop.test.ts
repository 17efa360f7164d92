import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { describedFetch } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import { storeConfiguration } from '../../test/support/stored-configuration.ts';

let harness: AdminHarness;
let told: unknown[];

const C = '/v2/storage/components/generic-extractor/configs';
const B = '/v2/storage/buckets';
const T = '/v2/storage/tables/in.c-shop.orders';
const form = { type: 'text/csv', delimiter: ',', enclosure: '"' };
const headers = { 'X-StorageApi-Token': rootToken };

/** Operations with a body that they take; `fileId` stands for one that was uploaded. */
const operations: readonly (readonly [method: string, path: string, body: (fileId: number) => object])[] = [
  [
    'PUT',
    `${C}/shop/schedule`,
    () => ({
      cron: '0 3 * * *',
      timeZone: 'Europe/Prague',
      isEnabled: true,
      variableValuesData: { values: [{ name: 'a', value: 'b' }] },
    }),
  ],
  [
    'POST',
    '/jobs',
    () => ({
      component: 'generic-extractor',
      config: 'shop',
      mode: 'run',
      delay: 10,
      tag: 'x',
      configRowIds: [],
      variableValuesData: { values: [{ name: 'a', value: 'b' }] },
    }),
  ],
  [
    'POST',
    '/jobs',
    () => ({
      component: 'generic-extractor',
      configData: { parameters: { api: { baseUrl: 'https://a.example' } }, storage: { output: { tables: [] } } },
    }),
  ],
  ['POST', '/jobs/1/kill', () => ({})],
  ['POST', C, () => ({ name: 'a', configuration: { parameters: {} }, state: {}, isDisabled: false })],
  ['PUT', `${C}/shop`, () => ({ name: 'a', configuration: { parameters: {} }, changeDescription: 'x' })],
  ['POST', `${C}/shop/rows`, () => ({ name: 'a', configuration: {}, isDisabled: true })],
  ['POST', B, () => ({ name: 'bucket', stage: 'in', displayName: 'x', description: 'y' })],
  [
    'POST',
    `${B}/in.c-shop/tables-definition`,
    () => ({ name: 't', columns: [{ name: 'a' }, { name: 'b' }], primaryKeysNames: ['a'] }),
  ],
  ['POST', `${T}/columns`, () => ({ name: 'c' })],
  [
    'POST',
    '/v2/storage/files/prepare',
    () => ({ name: 'a.csv', tags: ['x'], contentType: 'text/csv', sizeBytes: 5, isPermanent: false }),
  ],
  ['POST', '/v2/storage/files/1/tags', () => ({ tag: 'x' })],
  [
    'POST',
    `${T}/import-async`,
    (dataFileId) => ({ dataFileId, incremental: true, delimiter: form.delimiter, enclosure: form.enclosure }),
  ],
  [
    'POST',
    `${B}/in.c-shop/tables-async`,
    (dataFileId) => ({ dataFileId, name: 'made', primaryKey: ['id'], delimiter: form.delimiter }),
  ],
  ['POST', '/v2/storage/vault/variables', () => ({ name: 'a', value: 'b' })],
];

/** What nobody sends who means well. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    0.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    '../..',
    '%2f',
    '__proto__',
    'constructor',
    '{{a}}',
    "'; DROP TABLE a; --",
    'x'.repeat(100_000),
    '💥'.repeat(300),
    '1e1000',
    'NaN',
    '-0',
    '* * * * * *',
    '99 99 99 99 99',
    '*/0 * * * *',
    '0-59/1,'.repeat(500),
    '31 2 30 2 *',
    [],
    {},
    [[]],
    [{}],
    [null],
    Array.from({ length: 2000 }, () => ''),
    JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
    Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1),
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.double(),
);

/** A place in a body: at each step the field or element whose number this is, as far as there are any. */
const place = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 });

function placed(body: unknown, [step, ...rest]: readonly number[], value: unknown): unknown {
  if (step === undefined || typeof body !== 'object' || body === null) return value;
  const keys = Object.keys(body);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const inner: unknown = Reflect.get(body, key);
  const isLeaf = typeof inner !== 'object' || inner === null;
  const made = isLeaf ? value : placed(inner, rest, value);
  return Array.isArray(body)
    ? body.map((one: unknown, at) => (String(at) === key ? made : one))
    : { ...body, [key]: made };
}

const inside = /node_modules|\bat \w+.*\.[jt]s:\d+|\/src\/|ZodError|SyntaxError|TypeError|RangeError/;

interface Refusal {
  readonly error?: string;
  readonly message?: string;
}

const usual: Refusal = { message: 'it is well' };

interface StorageJob {
  readonly status: string;
  readonly error?: { readonly message: string };
}

const rowsOf = async (): Promise<number> => (await harness.api.call<{ rowsCount: number }>('GET', T)).rowsCount;

/** Looks for what no answer may have: a defect, and what tells of the inside. */
async function expectWords(
  method: string,
  path: string,
  {
    headers: more = {},
    body,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array<ArrayBuffer> },
): Promise<void> {
  const response = await describedFetch(harness.base + path, {
    method,
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect(response.status, `${method} ${path} ${JSON.stringify(body)?.slice(0, 500)}: ${text}`).toBeLessThan(500);
  expect(text).not.toMatch(inside);
  const { error = '', message = error } = response.status >= 400 ? (JSON.parse(text) as Refusal) : usual;
  expect(message.length, text).toBeGreaterThan(5);
}

let fileId: number;

beforeAll(async () => {
  told = [];
  harness = await startAdmin((given) => {
    const log = Object.assign(Object.create(given.telemetry.log) as typeof given.telemetry.log, {
      error: (...line: unknown[]) => void told.push(line),
    });
    return { ...given, telemetry: { ...given.telemetry, log } };
  });
  await storeConfiguration(harness.dependencies.catalog, { configurationId: 'shop' });
  await harness.api.call('POST', `${B}/in.c-shop/tables-definition`, { name: 'orders', columns: [{ name: 'id' }] });
  fileId = (await harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'a.csv' })).id;
  const sent = { method: 'PUT', headers, body: 'id\n1\n' };
  await describedFetch(`${harness.base}/v2/storage/files/${fileId}/content`, sent);
});

afterAll(() => harness[Symbol.asyncDispose]());

const json = { 'Content-Type': 'application/json' };

describe.each(operations)('%s %s', (method, path, bodyOf) => {
  test('D9: answers in words, whatever stands in a field of its body', async () => {
    await fc.assert(
      fc.asyncProperty(place, hostile, async (at, value) => {
        const body = JSON.stringify(placed(bodyOf(fileId), at, value));
        await expectWords(method, path, { headers: json, body });
      }),
      { numRuns: 60 },
    );
  });

  test('D9: answers in words, whatever its body is', async () => {
    const text = fc.oneof(
      hostile.map((value) => JSON.stringify(value) ?? ''),
      fc.constantFrom(
        '',
        '[',
        '{"a":1,"a":2}',
        '{"a":',
        'nul',
        '\ufeff{}',
        '{}{}',
        '"',
        '{"\\ud800":1}',
        '\0',
        '{"name":"a"}x',
      ),
      fc.string({ unit: 'binary', maxLength: 100 }),
    );
    const fields = fc.constantFrom(
      '',
      '%',
      '%zz=1',
      'a[0][__proto__]=1',
      'a[b][c][d]=1',
      '__proto__=1',
      'name=a&name=b',
      '&&&=',
      'tags[]=a&tags[]=b',
      'name=%ff',
    );
    await fc.assert(
      fc.asyncProperty(text, fields, async (body, form) => {
        await expectWords(method, path, { headers: json, body });
        await expectWords(method, path, {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: form,
        });
      }),
      { numRuns: 25 },
    );
  });
});

test('D9: what stands in a path or a query is answered in words, whatever it is', async () => {
  const paths = [
    (id: string) => `${C}/${id}/schedule`,
    (id: string) => `/jobs/${id}`,
    (id: string) => `/search/jobs?status=${id}&limit=${id}`,
    (id: string) => `/search/jobs?createdTimeFrom=${id}&sortBy=${id}`,
    (id: string) => `/v2/storage/events?runId=${id}&limit=${id}`,
    (id: string) => `${B}/${id}`,
    (id: string) => `/v2/storage/tables/${id}/data-preview?columns=${id}`,
    (id: string) => `/v2/storage/files/${id}`,
    (id: string) => `/v2/storage/files?tags=${id}&q=${id}&limit=${id}`,
    (id: string) => `/v2/storage/jobs/${id}`,
    (id: string) => `/v2/storage/components/${id}/configs/${id}`,
  ];
  const id = fc.oneof(
    fc.constantFrom(
      '%',
      '%00',
      '%ff',
      '%2f',
      '-1',
      '1e9',
      '9'.repeat(400),
      '__proto__',
      'x'.repeat(3000),
      '%f0%9f%92%a5',
      '',
      'in.c-',
      'in..a',
      '*',
    ),
    fc.string({ unit: 'binary', maxLength: 50 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), id, async (path, part) => {
      await expectWords('GET', path(part), {});
    }),
    { numRuns: 300 },
  );
});

test('D9: a file with whatever in it is loaded, or refused in words, and the table is as it was', async () => {
  const good = 'id\n1\n2\n';
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .constantFrom(
        good,
        `\ufeff${good}`,
        'id\n"1',
        'id\n"1"2\n',
        'id,id\n1,2\n',
        '\0\n\0\n',
        'id\n\ud800\n',
        ',,,\n',
        '\n\n\n',
        `${'c,'.repeat(20_000)}c\n`,
        gzipSync(good),
        gzipSync(good).subarray(0, 15),
        gzipSync(Buffer.alloc(1_000_000, 'x')),
      )
      .map((text) => (typeof text === 'string' ? Buffer.from(text) : text)),
    fc
      .string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'id', '1', '\\', ' ', '\0'), maxLength: 60 })
      .map((text) => Buffer.from(`id\n${text}`)),
  );
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom(',', ';', '\t', '"'), async (bytes, delimiter) => {
      const file = await harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'a' });
      const upload = { body: Buffer.from(bytes) };
      await expectWords('PUT', `/v2/storage/files/${file.id}/content`, upload);
      const before = await rowsOf();
      const asked = await harness.api.request('POST', `${T}/import-async`, {
        dataFileId: file.id,
        incremental: true,
        delimiter,
      });
      expect(asked.status).toBeLessThan(500);
      if (asked.status >= 400) return;
      const { id } = asked.body as { id: number };
      const job = await eventually(async () => {
        const now = await harness.api.call<StorageJob>('GET', `/v2/storage/jobs/${id}`);
        if (now.status === 'waiting' || now.status === 'processing') throw new Error(`it is ${now.status}`);
        return now;
      });
      const isLoaded = job.status === 'success';
      expect([isLoaded, (job.error?.message ?? '').length > 5]).toEqual([isLoaded, !isLoaded]);
      expect(JSON.stringify(job)).not.toMatch(inside);
      const after = await rowsOf();
      expect(isLoaded ? after >= before : after === before, JSON.stringify(job)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('D9: none of it was a defect that the log tells of', () => {
  expect(told).toEqual([]);
});
