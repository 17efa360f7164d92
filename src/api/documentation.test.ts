import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describedFetch } from '../../test/support/api.ts';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const get = (path: string): Promise<Response> => describedFetch(`${harness.base}${path}`, { redirect: 'manual' });

test('a browser is led to the API, which names its documentation', async () => {
  const root = await get('/');
  expect([root.status, root.headers.get('location')]).toEqual([301, '/v1']);
  const index = (await (await get('/v1')).json()) as { documentation: string };
  expect(index).toEqual({ api: 'stream', documentation: `${harness.base}/v1/documentation` });
  expect((await describedFetch(index.documentation)).status).toBe(200);
});

test('the description is the same document in JSON and in YAML, under the names of both versions, for anybody', async () => {
  const json = await get('/v1/documentation/openapi.json');
  expect(json.headers.get('content-type')).toMatch(/^application\/json/);
  const document = (await json.json()) as Record<string, unknown>;
  expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '0.0.0-test' }, servers: [{ url: '/' }] });
  const yaml = await get('/v1/documentation/openapi.yaml');
  expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(parse(await yaml.text())).toEqual(document);
  expect(await (await get('/v1/documentation/openapi3.json')).json()).toEqual(document);
  expect(parse(await (await get('/v1/documentation/openapi3.yaml')).text())).toEqual(document);
});

test('the page takes everything from this process, and a browser is told to refuse anything else', async () => {
  const page = await get('/v1/documentation');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  const html = await page.text();
  expect(html).not.toMatch(/https?:|<script>|<style|style=/);
  const addresses = Array.from(html.matchAll(/(?:href|src|data-document)="([^"]+)"/g), ([, address = '']) => address);
  const own = addresses.filter((address) => !address.startsWith('data:'));
  expect(own).toHaveLength(5);
  for (const address of own) expect((await get(address)).status, address).toBe(200);
});

test('files of the page may be kept by a browser; no name leads out of them', async () => {
  const asset = await get('/v1/documentation/assets/swagger-ui-bundle.js');
  expect(asset.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  for (const name of ['package.json', '..%2Fpackage.json', '%2E%2E%2F%2E%2E%2Fpackage.json', 'x', '__proto__'])
    expect((await get(`/v1/documentation/assets/${name}`)).status, name).toBe(404);
});

test('the description is right behind a proxy that adds steps to the path', async () => {
  await using proxied = await startAdmin((dependencies) => ({
    ...dependencies,
    config: { ...dependencies.config, publicAdminUrl: () => 'https://example.com/millrace' },
  }));
  const document = (await (await fetch(`${proxied.base}/v1/documentation/openapi.json`)).json()) as object;
  expect(document).toMatchObject({ servers: [{ url: '/millrace' }] });
  const html = await (await fetch(`${proxied.base}/v1/documentation`)).text();
  expect(html).toContain('src="/millrace/v1/documentation/assets/start.js?v=');
  expect(html).toContain('data-document="/millrace/v1/documentation/openapi.json"');
});

test('a start loads nothing that only the description needs', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) });
    await import(${JSON.stringify(new URL('create-api.ts', import.meta.url).href)});
    console.log(JSON.stringify(loaded));`;
  const loaded = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  ) as string[];
  expect(loaded).toContain('./openapi/api-description.ts');
  expect(loaded.filter((name) => /zod-openapi|swagger-ui|^yaml$|api-document/.test(name))).toEqual([]);
});
