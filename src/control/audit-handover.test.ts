import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveAdmin, startAdmin, type AdminHarness, type ServedAdmin } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { auditDocuments } from '../documents/audit-document.ts';

const S = '/v1/branches/default/sources';
const T = '/v2/storage/tokens';
const signal = new AbortController().signal;

let first: AdminHarness;
let second: ServedAdmin;

beforeEach(async () => {
  first = await startAdmin((dependencies) => ({
    ...dependencies,
    config: { ...dependencies.config, handoverMs: 500 },
  }));
  const { config } = first.dependencies;
  second = await serveAdmin({ ...first.dependencies, config: { ...config, owner: 'second' } });
});

afterEach(async () => {
  await second.end();
  await first[Symbol.asyncDispose]();
});

const operations = async () => {
  const found = await first.dependencies.catalog.list({ collection: 'audit', prefix: '' }, { signal });
  return found.map(({ value }) => auditDocuments.parse(value));
};

/** Until some process changes things: the seat may be on its way. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await expect.poll(async () => (result = await work().catch(() => undefined))).toBeDefined();
  if (result === undefined) throw new Error('nothing came of it');
  return result;
}

test('a change that one process passes on to another has one entry, with the token of its sender', async () => {
  const { id, token } = await eventually(() => first.api.call<{ id: string; token: string }>('POST', T, {}));
  for (const [index, base] of [first.base, second.base].entries())
    await eventually(() => new Api(base, token).task('POST', S, { type: 'http', name: `s${index}` }));
  await expect
    .poll(async () => (await operations()).filter(({ operation }) => operation === 'createSource'))
    .toMatchObject([
      { object: { sourceId: 's1' }, by: { tokenId: id }, outcome: 'success' },
      { object: { sourceId: 's0' }, by: { tokenId: id }, outcome: 'success' },
    ]);
});

test('any token may refresh itself through a process that passes changes on', async () => {
  for (const base of [first.base, second.base]) {
    const { id, token } = await eventually(() =>
      first.api.call<{ id: string; token: string }>('POST', T, { role: 'readOnly' }),
    );
    const refreshed = await eventually(() => new Api(base, token).call<{ id: string }>('POST', `${T}/${id}/refresh`));
    expect(refreshed.id).toBe(id);
  }
});

test('D10: a process that drains leaves no entry open', async () => {
  await second.end();
  await eventually(() => first.api.call('POST', T, {}));
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => first.api.call('POST', S, { type: 'http', name })));
  await first.admin.drain();
  const outcomes = (await operations()).map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect(outcomes.toSorted()).toEqual(['createToken success', ...names.map(() => 'createSource success')].toSorted());
});
