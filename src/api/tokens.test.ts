import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { ClockAhead } from '../../test/support/clock-ahead.ts';
import { limits } from '../core/limits.ts';
import { createLogger } from '../telemetry/logger.ts';
import { systemClock } from '../runtime/system-clock.ts';

const T = '/v2/storage/tokens';
const S = '/v1/branches/default/sources';

let harness: AdminHarness;
let clock: ClockAhead;

beforeEach(async () => {
  clock = new ClockAhead(systemClock);
  harness = await startAdmin((dependencies) => ({ ...dependencies, clock }));
});

afterEach(() => harness[Symbol.asyncDispose]());

interface Issued {
  readonly id: string;
  readonly token: string;
  readonly created: string;
  readonly expires: string | null;
  readonly refreshed: string | null;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly error: string;
}

const issue = (body: object): Promise<Issued> => harness.api.call<Issued>('POST', T, body);
const as = (token: string): Api => new Api(harness.base, token);
const refusal = async (method: string, path: string, body?: object): Promise<Refusal> => {
  const answer = await harness.api.request(method, path, body);
  return { ...(answer.body as Refusal), status: answer.status };
};
const status = async (token: string, ...request: Parameters<Api['request']>): Promise<number> =>
  (await as(token).request(...request)).status;

async function sinkToken(): Promise<{ readonly id: string; readonly description: string }> {
  const sinks = [
    { name: 'k', table: { tableId: 'in.c-shop.t', mapping: { columns: [{ type: 'uuid', name: 'id' }] } } },
  ];
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks });
  const tokens = await harness.api.call<{ id: string; description: string }[]>('GET', T);
  const found = tokens.find(({ description }) => description === '[_internal] Stream Sink shop/k');
  if (found === undefined) throw new Error('the sink has no token');
  return found;
}

describe('create', () => {
  test('shows the text once, and everywhere else the token without it', async () => {
    const { token, id } = await issue({ description: 'deploy', role: 'readOnly', expiresIn: 60 });
    const shown = await harness.api.request('GET', `${T}/${id}`);
    expect(shown.body).toMatchObject({
      id,
      description: 'deploy',
      refreshed: null,
      isExpired: false,
      isMasterToken: false,
      canManageTokens: false,
      bucketPermissions: {},
      componentAccess: [],
      admin: { role: 'readOnly' },
      creatorToken: { id: '1', description: 'root token' },
    });
    const answers = [shown, await harness.api.request('GET', T), await as(token).request('GET', `${T}/verify`)];
    for (const { text } of answers) expect(text).not.toContain(token);
    const stored = JSON.stringify(
      await harness.dependencies.catalog.list(
        { collection: 'token', prefix: '' },
        { signal: new AbortController().signal },
      ),
    );
    expect(stored).not.toContain(token);
  });

  test('an admin token is the default, and may do everything', async () => {
    const { token } = await issue({});
    expect(await as(token).call('GET', `${T}/verify`)).toMatchObject({
      description: '',
      isMasterToken: true,
      expires: null,
      admin: { role: 'admin' },
    });
    await as(token).task('POST', S, { type: 'http', name: 'shop' });
    expect(await status(token, 'POST', T, { description: 'another' })).toBe(201);
  });

  test('a read only token reads and changes nothing but its own text', async () => {
    const { token } = await issue({ role: 'readOnly' });
    expect(await status(token, 'GET', S)).toBe(200);
    expect(await status(token, 'GET', T)).toBe(200);
    expect(await status(token, 'POST', T, {})).toBe(403);
    expect(await status(token, 'POST', S, { type: 'http', name: 'shop' })).toBe(403);
  });

  test.each([
    [{ role: 'guest' }, 'validation.invalidEnumValue', 'body.role'],
    [{ expiresIn: 0 }, 'validation.invalidRange', 'body.expiresIn'],
    [{ expiresIn: 315_360_001 }, 'validation.invalidRange', 'body.expiresIn'],
    [{ expiresIn: '60' }, 'validation.invalidFieldType', 'body.expiresIn'],
    [{ expiresIn: 1.5 }, 'validation.invalidFieldType', 'body.expiresIn'],
    [{ description: 'x'.repeat(256) }, 'validation.invalidLength', 'body.description'],
    [{ description: 'a\u0000' }, 'validation.invalidFormat', 'body.description'],
    [{ bucketPermissions: { 'in.c-shop': 'read' } }, 'storage.tokens.invalidPermissions', 'body.bucketPermissions'],
    [{ bucketPermissions: { 'in.c-shop': 'manage' } }, 'storage.tokens.invalidPermissions', 'body.bucketPermissions'],
    [{ componentAccess: ['x'] }, 'storage.tokens.invalidPermissions', 'body.componentAccess'],
    [{ canManageBuckets: false }, 'storage.tokens.invalidPermissions', 'body.canManageBuckets'],
    [{ role: 'readOnly', canPurgeTrash: true }, 'storage.tokens.invalidPermissions', 'body.canPurgeTrash'],
  ])('D9: %j is refused, and says which field', async (body, code, field) => {
    const refused = await refusal('POST', T, body);
    expect(refused).toMatchObject({ status: 400, code });
    expect(refused.error.toLowerCase()).toContain(field.toLowerCase());
    expect(await harness.api.call('GET', T)).toHaveLength(1);
  });

  test('rights that the role gives may be named, empty limits too', async () => {
    const rights = { canManageBuckets: true, canReadAllFileUploads: true, bucketPermissions: [], componentAccess: [] };
    expect(await issue({ ...rights, expiresIn: null })).toMatchObject({ canManageBuckets: true, expires: null });
  });
});

/** Writes tokens past the API, for there are many. */
async function seed(count: number, expiresAt?: string): Promise<void> {
  const write = (index: number): Promise<unknown> => {
    const id = String(100_000 + index + (expiresAt === undefined ? 0 : 50_000));
    const created = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } };
    const token = { id, description: '', scope: { kind: 'readOnly' }, hash: '', created };
    const value = expiresAt === undefined ? token : { ...token, expiresAt };
    return harness.dependencies.catalog.compareAndSet(
      { collection: 'token', id, expected: undefined, value },
      { signal: new AbortController().signal },
    );
  };
  await Promise.all(Array.from({ length: count }, (_, index) => write(index)));
}

test('D8: there are no more tokens of people than the limit, also when two are made at once; expired ones do not count', async () => {
  await sinkToken();
  // The root token is one of them.
  await seed(limits.tokens - 2);
  await seed(10, '2026-01-02T00:00:00.000Z');
  const answers = await Promise.all([1, 2].map(() => refusal('POST', T, {})));
  const [made, refused] = answers.toSorted((a, b) => a.status - b.status);
  expect(made?.status).toBe(201);
  expect(refused).toMatchObject({ status: 409, code: 'storage.tokens.limitReached' });
  expect(refused?.error).toContain('delete those that nobody uses');
});

describe('expiry', () => {
  test('an expired token is 401 wherever it is used, and shown as expired', async () => {
    const { token, id, created, expires } = await issue({ expiresIn: 60 });
    expect(Date.parse(expires ?? '') - Date.parse(created)).toBe(60_000);
    clock.aheadMs = 30_000;
    expect(await status(token, 'GET', S)).toBe(200);
    clock.aheadMs = 61_000;
    const paths = [S, `${T}/verify`, T, '/v2/storage/tables', '/v1/tasks/x'];
    for (const path of paths) expect([path, await status(token, 'GET', path)]).toEqual([path, 401]);
    expect(await status(token, 'POST', `${T}/${id}/refresh`)).toBe(401);
    expect(await harness.api.call('GET', `${T}/${id}`)).toMatchObject({ isExpired: true });
  });

  test('D8: an expired token is shown for a week, then it goes', async () => {
    const [kept, gone] = [await issue({ expiresIn: 8 * 24 * 3600 }), await issue({ expiresIn: 60 })];
    clock.aheadMs = 8 * 24 * 3_600_000 + 120_000;
    await harness.restart();
    const ids = async (): Promise<readonly string[]> =>
      (await harness.api.call<readonly Issued[]>('GET', T)).map(({ id }) => id);
    await expect.poll(ids).not.toContain(gone.id);
    expect(await harness.api.call('GET', `${T}/${kept.id}`)).toMatchObject({ isExpired: true });
  });
});

describe('refresh', () => {
  test('the text before stops at once, the rest stays', async () => {
    const { token, id, expires } = await issue({ description: 'deploy', role: 'readOnly', expiresIn: 60 });
    const refreshed = await as(token).call<Issued>('POST', `${T}/${id}/refresh`);
    expect(refreshed).toMatchObject({ id, description: 'deploy', expires, admin: { role: 'readOnly' } });
    expect(refreshed.refreshed).not.toBeNull();
    expect(await status(token, 'GET', S)).toBe(401);
    expect(await status(refreshed.token, 'GET', S)).toBe(200);
  });

  test('an admin token refreshes others, a read only one itself alone, whether another exists or not', async () => {
    const [admin, reader] = [await issue({}), await issue({ role: 'readOnly' })];
    expect(await status(reader.token, 'POST', `${T}/${admin.id}/refresh`)).toBe(403);
    expect(await status(reader.token, 'POST', `${T}/999/refresh`)).toBe(403);
    expect(await status(admin.token, 'POST', `${T}/999/refresh`)).toBe(404);
    expect(await status(admin.token, 'POST', `${T}/${reader.id}/refresh`)).toBe(200);
    expect(await status(reader.token, 'GET', S)).toBe(401);
  });

  test('of the root token and of a sink it is refused, with what to do instead', async () => {
    const { id } = await sinkToken();
    const root = await refusal('POST', `${T}/1/refresh`);
    expect(root).toMatchObject({ status: 403, code: 'accessDenied' });
    expect(root.error).toContain('MILLRACE_ROOT_TOKEN');
    expect((await refusal('POST', `${T}/${id}/refresh`)).error).toContain('disable and enable sink "shop/k"');
  });
});

describe('delete', () => {
  test('the token stops at once; another time there is none', async () => {
    const { token, id } = await issue({});
    expect(await harness.api.request('DELETE', `${T}/${id}`)).toMatchObject({ status: 204, text: '' });
    expect(await status(token, 'GET', S)).toBe(401);
    for (const method of ['DELETE', 'GET'])
      expect(await harness.api.request(method, `${T}/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'storage.tokens.notFound', error: `Token "${id}" not found in the project.` },
      });
    const nonsense = await refusal('DELETE', `${T}/..%2Fverify`);
    expect(nonsense).toMatchObject({ status: 404, code: 'storage.tokens.notFound' });
    expect(nonsense.error).toContain('the id of a token is a number');
  });

  test('the root token stays and says why', async () => {
    const refused = await refusal('DELETE', `${T}/1`);
    expect(refused.status).toBe(403);
    expect(refused.error).toContain('it is configured');
    expect(await status(rootToken, 'GET', `${T}/1`)).toBe(200);
  });

  test('the token of a sink goes, and enabling the sink makes another one', async () => {
    const { id } = await sinkToken();
    expect(await status(rootToken, 'DELETE', `${T}/${id}`)).toBe(204);
    await harness.api.task('PUT', `${S}/shop/sinks/k/disable`);
    await harness.api.task('PUT', `${S}/shop/sinks/k/enable`);
    const tokens = await harness.api.call<{ description: string }[]>('GET', T);
    expect(tokens.filter(({ description }) => description.startsWith('[_internal]'))).toHaveLength(1);
  });
});

test('the text of a token is in no log, also when it stands where its id belongs', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', role: 'test', stream: { write: (line) => void lines.push(line) } });
  await using logged = await startAdmin((dependencies) => ({
    ...dependencies,
    telemetry: { ...dependencies.telemetry, log },
  }));
  const { token, id } = await logged.api.call<Issued>('POST', T, { description: 'deploy' });
  const own = new Api(logged.base, token);
  const made = 'c0ffee'.repeat(8);
  for (const text of [token, rootToken, made, 'chosen-by-hand']) {
    const targets: readonly (readonly [string, string])[] = [
      ['GET', `${T}/${text}`],
      ['POST', `${T}/${text}/refresh`],
      ['DELETE', `${T}/${text}`],
      ['PUT', `${T}/${text}`],
      ['GET', `${T}/${text}/nothing`],
    ];
    for (const [method, target] of targets)
      expect((await own.request(method, target)).status).toBeGreaterThanOrEqual(400);
  }
  for (const [api, text] of [
    [own, token],
    [logged.api, rootToken],
    [own, made],
  ] as const) {
    const targets: readonly (readonly [string, string])[] = [
      ['GET', `/v1/${text}`],
      ['PATCH', `${S}/${text}`],
      ['GET', `/v1/tasks/${text}`],
    ];
    for (const [method, target] of targets)
      expect((await api.request(method, target)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await own.request('POST', `${T}/${token}/refresh`)).text).not.toContain(token);
  const refreshed = await own.call<Issued>('POST', `${T}/${id}/refresh`);
  expect((await own.request('GET', `${T}/verify`)).status).toBe(401);
  expect(lines.join('')).toContain('API request refused');
  for (const text of [token, refreshed.token, rootToken, made, 'chosen-by-hand'])
    expect(lines.join('')).not.toContain(text);
});
