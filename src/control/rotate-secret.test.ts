import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { makeOtlp } from '../../test/support/otlp-source.ts';
import { sourceDocumentId } from '../documents/document-id.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { defaultBranch, parseSourceId } from '../core/ids.ts';
import type { SourceSecret } from '../core/source.ts';

const S = '/v1/branches/default/sources';
const never = { signal: new AbortController().signal };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

async function secretsOf(name: string): Promise<readonly SourceSecret[]> {
  const id = sourceDocumentId({ branchId: defaultBranch, sourceId: parseSourceId(name) });
  return sourceDocuments.parse((await harness.dependencies.catalog.get('source', id, never))?.value).secrets;
}

test.each(['http', 'otlp'])('a source of type %s has a new secret at once, and the old one is gone', async (type) => {
  await harness.api.task('POST', S, { type: 'http', name: 'shop' });
  if (type === 'otlp') await makeOtlp(harness.dependencies.catalog, 'shop');
  const [before] = await secretsOf('shop');
  const seen = await harness.api.call('GET', `${S}/shop`);
  const rotated = await harness.api.call('POST', `${S}/shop/rotate-secret`);
  const [secret, ...others] = await secretsOf('shop');
  expect(others).toEqual([]);
  expect(secret?.text).toMatch(/^[0-9a-zA-Z]{48}$/);
  expect(secret?.text).not.toBe(before?.text);
  expect(rotated).toMatchObject({ version: { number: 2, description: 'Rotated secret.' }, created: seen['created'] });
  expect(JSON.stringify(rotated)).toContain(secret?.text);
  expect(JSON.stringify(rotated)).not.toContain(before?.text);
  expect(await harness.api.call('GET', `${S}/shop`)).toEqual(rotated);
});

test('A29: with an overlap two secrets are valid, never three', async () => {
  await harness.api.task('POST', S, { type: 'http', name: 'shop' });
  const [first] = await secretsOf('shop');
  const began = Date.now();
  const rotated = await harness.api.call('POST', `${S}/shop/rotate-secret?overlap=24h`);
  const [second, ending] = await secretsOf('shop');
  expect(ending?.text).toBe(first?.text);
  expect(ending?.validUntil).toBeGreaterThanOrEqual(began + 86_400_000);
  expect(rotated).toMatchObject({ previousSecretValidUntil: new Date(ending?.validUntil ?? 0).toISOString() });
  expect(JSON.stringify(rotated)).not.toContain(first?.text);
  await harness.api.call('POST', `${S}/shop/rotate-secret?overlap=1h`);
  expect((await secretsOf('shop')).map(({ text }) => text)).toEqual([expect.anything(), second?.text]);
  const last = await harness.api.call('POST', `${S}/shop/rotate-secret?overlap=0s`);
  expect(last).not.toHaveProperty('previousSecretValidUntil');
  expect(await secretsOf('shop')).toHaveLength(1);
});

test.each([
  ['overlap=soon', 'invalidFormat'],
  ['overlap=-1s', 'invalidRange'],
  ['overlap=721h', 'invalidRange'],
])('D9: %s is refused as %s, and the secret stays', async (query, name) => {
  await harness.api.task('POST', S, { type: 'http', name: 'shop' });
  const before = await secretsOf('shop');
  const { status, body } = await harness.api.request('POST', `${S}/shop/rotate-secret?${query}`);
  expect([status, body]).toEqual([400, expect.objectContaining({ error: `stream.api.${name}` })]);
  expect((body as { message: string }).message).toContain('overlap');
  expect(await secretsOf('shop')).toEqual(before);
});

test('a deleted source has no secret to rotate; undeleted it has those that it had', async () => {
  await harness.api.task('POST', S, { type: 'http', name: 'shop' });
  await harness.api.call('POST', `${S}/shop/rotate-secret?overlap=1h`);
  const before = await secretsOf('shop');
  await harness.api.task('DELETE', `${S}/shop`);
  expect(await harness.api.request('POST', `${S}/shop/rotate-secret`)).toMatchObject({ status: 404 });
  await harness.api.task('PUT', `${S}/shop/undelete`);
  expect(await secretsOf('shop')).toEqual(before);
});
