import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { anyJob, bodiesOfRoutes } from '../../test/support/request-of-route.ts';
import type { Route } from './route/route.ts';
import { routeTable } from './routes/families.ts';

/** In everything that somebody else may not see. */
const mark = 'only-for-its-own';
const elsewhere = '12';
const inBranch = (branch: string): string => `/v2/storage/branch/${branch}/components/generic-extractor/configs`;

let harness: AdminHarness;
const ids: Record<string, string> = {
  componentId: 'generic-extractor',
  configurationId: 'shop',
  rowId: 'r',
  versionNumber: '1',
  branchId: elsewhere,
  name: 'k',
};

beforeAll(async () => {
  harness = await startAdmin();
  const { api } = harness;
  const words = { name: mark, description: mark, changeDescription: mark, configuration: { parameters: { mark } } };
  await api.call('POST', inBranch(elsewhere), { ...words, configurationId: 'shop', state: { mark } });
  await api.call('POST', `${inBranch(elsewhere)}/shop/rows`, { ...words, rowId: 'r' });
  await api.call('PUT', `${inBranch(elsewhere)}/shop/rows/r`, { ...words, name: `${mark} again` });
  await api.call('POST', inBranch(elsewhere), { ...words, configurationId: 'gone' });
  await api.call('DELETE', `${inBranch(elsewhere)}/gone`);
  await api.call('POST', `/v2/storage/branch/${elsewhere}/vault/variables`, { name: mark, value: mark });
  const job = { ...anyJob, configData: { parameters: { mark } }, tag: '', branchId: elsewhere };
  ids['jobId'] = (await api.call<{ id: string }>('POST', '/jobs', job)).id;
});

afterAll(() => harness[Symbol.asyncDispose]());

const pathOf = ({ path }: Route, more: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => more[name] ?? ids[name] ?? 'none');

const shown = routeTable.filter(({ method, access }) => method === 'GET' && access !== 'public');
const ofConfigurations = (route: Route): boolean => route.path.includes('/components');

describe('K2: the token of one component', () => {
  test('sees nothing of another one, whatever it asks for', async () => {
    const { token } = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', {
      componentAccess: ['variables', 'shared-code'],
    });
    const stranger = new Api(harness.base, token);
    for (const route of shown) {
      const path = pathOf(route);
      for (const query of [
        '',
        '?include=configuration',
        '?isDeleted=1',
        '?branchId=12',
        '?component=generic-extractor',
      ]) {
        const { text } = await stranger.request('GET', path + query);
        expect([path + query, text.includes(mark)]).toEqual([path + query, false]);
      }
      // Of its own component nothing of the same id is there.
      const own = pathOf(route, { componentId: 'variables' });
      const { text } = await stranger.request('GET', own);
      expect([own, text.includes(mark)]).toEqual([own, false]);
    }
  });

  test('changes nothing of another one, also by the path of its own', async () => {
    const { token } = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', {
      componentAccess: ['variables'],
    });
    const stranger = new Api(harness.base, token);
    const before = await harness.api.call('GET', `${inBranch(elsewhere)}/shop`);
    for (const route of routeTable.filter((one) => one.changes && ofConfigurations(one))) {
      const body = bodiesOfRoutes[route.operationId]?.('x') ?? {};
      const refused = await stranger.request(route.method, pathOf(route), body);
      expect([route.operationId, refused.status]).toEqual([route.operationId, 403]);
      const own = await stranger.request(route.method, pathOf(route, { componentId: 'variables' }), body);
      const isMade = route.operationId.startsWith('createConfiguration') && !route.path.includes('rows');
      // One that needs a component that runs says so first.
      const found = own.status === 400 ? 404 : own.status;
      expect([route.operationId, found]).toEqual([route.operationId, isMade ? 201 : 404]);
    }
    expect(await harness.api.call('GET', `${inBranch(elsewhere)}/shop`)).toEqual(before);
  });
});

describe('A55: what is in one branch', () => {
  test('is in no answer of another one', async () => {
    const others = shown.filter(({ path }) => path.includes('/components') || path.includes('{branchId}'));
    expect(others.length).toBeGreaterThanOrEqual(40);
    for (const route of others)
      for (const branchId of ['default', '1', '13'])
        for (const query of ['', '?include=configuration', '?isDeleted=1']) {
          const path = pathOf(route, { branchId }) + query;
          const { text } = await harness.api.request('GET', path);
          expect([path, text.includes(mark)]).toEqual([path, false]);
        }
  });

  test('is changed by no request of another one', async () => {
    const before = [
      await harness.api.call('GET', `${inBranch(elsewhere)}/shop`),
      await harness.api.call('GET', `${inBranch(elsewhere)}?isDeleted=1`),
      await harness.api.call('GET', `/v2/storage/branch/${elsewhere}/vault/variables`),
    ];
    for (const route of routeTable.filter(
      (one) => one.changes && one.path.startsWith('/v2/storage/') && one.path.includes('{branchId}'),
    ))
      for (const configurationId of ['shop', 'gone']) {
        const body = bodiesOfRoutes[route.operationId]?.('x') ?? {};
        const path = pathOf(route, { branchId: '13', configurationId, name: mark });
        const { status } = await harness.api.request(route.method, path, body);
        const isMade = route.method === 'POST' && !route.path.includes('{configurationId}');
        expect([path, status]).toEqual([path, isMade ? 201 : 404]);
      }
    expect([
      await harness.api.call('GET', `${inBranch(elsewhere)}/shop`),
      await harness.api.call('GET', `${inBranch(elsewhere)}?isDeleted=1`),
      await harness.api.call('GET', `/v2/storage/branch/${elsewhere}/vault/variables`),
    ]).toEqual(before);
  });
});
