import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { sendForm } from '../../test/support/send-form.ts';
import { SecretKeys } from '../secrets/secret-keys.ts';

const C = '/v2/storage/components/generic-extractor/configs';

interface Configured {
  readonly version: number;
  readonly configuration: unknown;
}

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown): Promise<Configured> =>
  harness.api.call(method, path, body);
const refusal = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await harness.api.request(method, path, body);
  return { ...(answer.body as object), status: answer.status };
};
const secret = 'correct-horse-battery';
const holding = (value: unknown): object => ({ parameters: { api: { '#token': value, open: 'x' } } });
const tokenOf = ({ configuration }: Configured): string =>
  (configuration as { parameters: { api: { '#token': string } } }).parameters.api['#token'];

test('A59: values of keys with # are ciphertext wherever they are seen', async () => {
  const made = await call('POST', C, {
    name: 'a',
    configurationId: 'a',
    configuration: holding(secret),
    state: holding(7),
  });
  expect(tokenOf(made)).toMatch(/^MR::1::/);
  await call('POST', `${C}/a/rows`, { rowId: 'r', configuration: { '#row': [secret], plain: true } });
  await call('PUT', `${C}/a`, { description: 'd' });
  const seen = [
    await harness.api.request('GET', `${C}/a`),
    await harness.api.request('GET', `${C}/a/versions/1`),
    await harness.api.request('GET', `${C}/a/rows/r/versions/1`),
    await harness.api.request('GET', '/v1/branches/default/audit'),
  ].map(({ text }) => text);
  const { signal } = new AbortController();
  for (const collection of ['configuration', 'configuration-version', 'audit'] as const)
    seen.push(JSON.stringify(await harness.dependencies.catalog.list({ collection, prefix: '' }, { signal })));
  for (const text of seen) {
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/#token.{0,6}7/);
  }
  expect(seen[0]).toContain('"open":"x"');
});

test('A59: ciphertext comes back as it is, and the same value again changes nothing', async () => {
  const made = await call('POST', C, { name: 'a', configurationId: 'a', configuration: holding(secret) });
  expect(await call('PUT', `${C}/a`, { configuration: made.configuration })).toMatchObject({ version: 1 });
  expect(await call('PUT', `${C}/a`, { configuration: holding(secret) })).toMatchObject({ version: 1 });
  const changed = await call('PUT', `${C}/a`, { configuration: holding('other') });
  expect(changed.version).toBe(2);
  expect(tokenOf(changed)).not.toBe(tokenOf(made));
});

test('A59: ciphertext of another component, or one that nobody made, is refused', async () => {
  const made = await call('POST', C, { name: 'a', configuration: holding(secret) });
  const elsewhere = '/v2/storage/components/variables/configs';
  const forged = `${tokenOf(made).slice(0, -6)}AAAAAA`;
  for (const [path, value] of [
    [elsewhere, tokenOf(made)],
    [C, forged],
  ] as const)
    expect(await refusal('POST', path, { name: 'b', configuration: holding(value) })).toMatchObject({
      status: 400,
      code: 'storage.components.encryption',
    });
});

test('A59: a placeholder alone stays, for its value comes from elsewhere', async () => {
  const made = await call('POST', C, { name: 'a', configuration: holding('{{ vault.token }}') });
  expect(tokenOf(made)).toBe('{{ vault.token }}');
});

test('A60: a value of the vault is set, listed by its name, and never shown', async () => {
  const V = '/v2/storage/vault/variables';
  expect(await harness.api.request('POST', V, { name: 'token', value: secret })).toMatchObject({
    status: 201,
    body: { name: 'token' },
  });
  expect(
    (await sendForm(harness, ['POST', '/v2/storage/branch/default/vault/variables', { name: 'token', value: 'b' }]))
      .body,
  ).toMatchObject({
    branchId: 1,
  });
  expect(await harness.api.call('GET', V)).toMatchObject([{ name: 'token' }]);
  const { signal } = new AbortController();
  const seen = [
    (await harness.api.request('GET', V)).text,
    (await harness.api.request('GET', '/v1/branches/default/audit')).text,
    JSON.stringify(await harness.dependencies.catalog.list({ collection: 'vault', prefix: '' }, { signal })),
  ];
  for (const text of seen) expect(text).not.toContain(secret);
  expect(await refusal('POST', V, { name: 'a b', value: secret })).toMatchObject({ status: 400 });
  for (const value of ['', 7, undefined, 'x'.repeat(70_000)]) {
    const refused = await harness.api.request('POST', V, { name: 'a', value });
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain('xxx');
  }
  expect((await harness.api.request('DELETE', `${V}/token`)).status).toBe(204);
  expect(await refusal('DELETE', `${V}/token`)).toMatchObject({ status: 404 });
  expect(await harness.api.call('GET', '/v2/storage/branch/1/vault/variables')).toMatchObject([{ name: 'token' }]);
});

test('A59: without a key a secret is refused in words, anything else is kept', async () => {
  await using keyless = await startAdmin((given) => ({ ...given, secretKeys: new SecretKeys([]) }));
  expect(await keyless.api.call('POST', C, { name: 'a', configuration: { parameters: {} } })).toMatchObject({
    version: 1,
  });
  const refused = await keyless.api.request('POST', C, { name: 'b', configuration: holding(secret) });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('MILLRACE_ENCRYPTION_KEYS');
  expect(refused.text).not.toContain(secret);
  expect((await keyless.api.request('POST', '/v2/storage/vault/variables', { name: 'a', value: secret })).status).toBe(
    400,
  );
});
