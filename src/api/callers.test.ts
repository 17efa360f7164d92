import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { startAdmin, rootToken, type AdminHarness } from '../../test/support/admin-harness.ts';

const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', S, { type: 'http', name: 'shop' });
});

afterAll(() => harness[Symbol.asyncDispose]());

const raw = (path: string, init: RequestInit) => describedFetch(`${harness.base}${path}`, init);
const token = { 'X-StorageApi-Token': rootToken };

describe('who may call', () => {
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
