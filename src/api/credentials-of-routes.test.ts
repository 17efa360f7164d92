import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { describedFetch } from '../../test/support/api.ts';
import { ClockAhead } from '../../test/support/clock-ahead.ts';
import { bodiesOfRoutes } from '../../test/support/request-of-route.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { Route } from './route/route.ts';
import { routeTable } from './routes/families.ts';

/** How somebody shows who asks. */
const credentials = [
  'nobody',
  'a word',
  'another installation',
  'deleted',
  'expired',
  'admin',
  'read only',
  'its component',
  'another component',
  'canManageBuckets',
  'reads the bucket',
  'writes the bucket',
  'writes another bucket',
  'limited without rights',
] as const;
type Credential = (typeof credentials)[number];

/** Who may do what, by the operations of the API; each is in one list. Those with `?` have a form with the branch in its path. */
const table: readonly { readonly may: readonly Credential[]; readonly operations: readonly string[] }[] = [
  {
    may: credentials,
    operations:
      `root index healthCheck documentation documentationAsset openApiJson openApiYaml openApi3Json openApi3Yaml
      storageIndex`.split(/\s+/),
  },
  {
    may: credentials.slice(credentials.indexOf('admin')),
    operations: ['verifyToken'],
  },
  {
    may: ['admin'],
    operations:
      `createSource updateSource deleteSource disableSource enableSource undeleteSource rotateSecret updateSourceSettings
      rollbackSourceVersion clearSourceStatistics createSink updateSink deleteSink disableSink enableSink undeleteSink
      updateSinkSettings rollbackSinkVersion flushSink clearSinkStatistics purgeDeadLetters replayDeadLetters stopReplay
      setVaultVariable? deleteVaultVariable? createToken deleteToken refreshToken`.split(/\s+/),
  },
  {
    may: ['admin', 'read only'],
    operations:
      `getTask aggregateSources getConservation rankSinks listSources listDeletedSources getSource getSourceSettings testSource listEvents traceEvents
      listSourceVersions getSourceVersion listSinks listDeletedSinks getSink getSinkSettings listSinkVersions getSinkVersion
      getSinkProgress getSinkWhy getSinkStatisticsTotal getSinkStatisticsFiles listImports listVaultVariables? listTokens listAudit getToken
      getBackup tryReplay listDeadLetters countDeadLetters showDeadLetter getReplay`.split(/\s+/),
  },
  // For the root token alone, which is none of these.
  { may: [], operations: ['startBackup', 'stopBackup'] },
  { may: ['admin', 'canManageBuckets'], operations: ['createBucket', 'deleteBucket'] },
  {
    may: ['admin', 'canManageBuckets', 'writes the bucket'],
    operations: `createTable deleteTable deleteTableRows renameTable addColumn dropColumn createTableFromFile
      importTable`.split(/\s+/),
  },
  {
    may: ['admin', 'read only', 'canManageBuckets', 'reads the bucket', 'writes the bucket'],
    operations: 'getBucket listBucketTables getTable previewTable exportTable listTableDependents'.split(' '),
  },
  {
    may: ['admin', 'canManageBuckets', 'writes the bucket', 'writes another bucket'],
    operations: 'prepareFile uploadFile deleteFile addFileTag removeFileTag'.split(' '),
  },
  {
    may: ['admin', 'read only', 'canManageBuckets', 'reads the bucket', 'writes the bucket', 'writes another bucket'],
    operations: 'listBuckets listTables listStorageJobs getStorageJob listFiles getFile downloadFile'.split(' '),
  },
  {
    may: ['admin', 'read only', 'its component', 'another component', 'canManageBuckets'],
    operations: ['listComponents?', 'listJobs', 'searchJobs', 'getJob', 'listJobEvents'],
  },
  {
    may: ['admin', 'read only', 'its component', 'canManageBuckets'],
    operations: `getComponent? listConfigurations? getConfiguration? listConfigurationVersions? getConfigurationVersion?
      listConfigurationRows? getConfigurationRow? listConfigurationRowVersions? getConfigurationRowVersion? getSchedule?`.split(
      /\s+/,
    ),
  },
  {
    may: ['admin', 'its component', 'another component', 'canManageBuckets'],
    operations: ['killJob'],
  },
  {
    may: ['admin', 'its component', 'canManageBuckets'],
    operations:
      `createJob createConfiguration? updateConfiguration? deleteConfiguration? setConfigurationState? restoreConfiguration?
      rollbackConfiguration? copyConfiguration? createConfigurationRow? updateConfigurationRow? deleteConfigurationRow?
      setConfigurationRowState? rollbackConfigurationRow? copyConfigurationRow? setSchedule? deleteSchedule?`.split(
        /\s+/,
      ),
  },
];
const mayOf = new Map(
  table.flatMap(({ may, operations }) =>
    operations
      .flatMap((name) => (name.endsWith('?') ? [name.slice(0, -1), `${name.slice(0, -1)}InBranch`] : [name]))
      .map((operation) => [operation, may] as const),
  ),
);

/** Bodies of the right shape; of others every body, or none, is. */
const bodies: Readonly<Record<string, object>> = {
  updateSourceSettings: { settings: [] },
  updateSinkSettings: { settings: [] },
  ...Object.fromEntries(Object.entries(bodiesOfRoutes).map(([operation, make]) => [operation, make('nobody')])),
};
/** Ids of what is not there, for whoever may. */
const ids: Readonly<Record<string, string>> = {
  branchId: '2',
  versionNumber: '7',
  tokenId: '999',
  jobId: '999',
  componentId: 'generic-extractor',
  tableId: 'in.c-kept.none',
  bucketId: 'in.c-kept',
};

let harness: AdminHarness;
let elsewhere: AdminHarness;
const clock = new ClockAhead(systemClock);
const tokens = new Map<Credential, string>([['a word', 'open-sesame']]);

beforeAll(async () => {
  harness = await startAdmin((given) => ({ ...given, clock }));
  elsewhere = await startAdmin();
  const issue = async (credential: Credential, body: object, of = harness): Promise<string> => {
    const { token, id } = await of.api.call<{ token: string; id: string }>('POST', '/v2/storage/tokens', body);
    tokens.set(credential, token);
    return id;
  };
  await issue('another installation', {}, elsewhere);
  const deleted = await issue('deleted', {});
  await harness.api.call('DELETE', `/v2/storage/tokens/${deleted}`);
  await issue('expired', { expiresIn: 60 });
  await issue('admin', { role: 'admin' });
  await issue('read only', { role: 'readOnly' });
  await issue('its component', { componentAccess: ['generic-extractor'] });
  await issue('another component', { componentAccess: ['variables'] });
  await issue('canManageBuckets', { role: 'limited', canManageBuckets: true });
  for (const name of ['kept', 'other']) await harness.api.call('POST', '/v2/storage/buckets', { stage: 'in', name });
  await issue('reads the bucket', { bucketPermissions: { 'in.c-kept': 'read' } });
  await issue('writes the bucket', { bucketPermissions: { 'in.c-kept': 'write' } });
  await issue('writes another bucket', { bucketPermissions: { 'in.c-other': 'write' } });
  await issue('limited without rights', { role: 'limited' });
  clock.aheadMs = 61_000;
});

afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

async function ask({ method, path, operationId }: Route, credential: Credential) {
  const target = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => ids[name] ?? 'none');
  const token = tokens.get(credential);
  const response = await describedFetch(harness.base + target, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { 'X-StorageApi-Token': token }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(bodies[operationId] ?? {}) }),
  });
  return { status: response.status, text: await response.text() };
}

test('K2: every route says here who may call it', () => {
  expect([...mayOf.keys()].toSorted()).toEqual(routeTable.map(({ operationId }) => operationId).toSorted());
});

test.each(routeTable.map((route) => ({ operation: route.operationId, route })))(
  'K2: $operation is for those who may, and for nobody else',
  async ({ operation, route }) => {
    const may = mayOf.get(operation) ?? [];
    for (const credential of credentials) {
      const { status, text } = await ask(route, credential);
      const isKnown = credentials.indexOf(credential) >= credentials.indexOf('admin');
      const refusal = isKnown ? 403 : 401;
      const found = status === 401 || status === 403 ? status : 'may';
      expect([credential, found], text).toEqual([credential, may.includes(credential) ? 'may' : refusal]);
      expect(status, text).toBeLessThan(500);
      for (const secret of [rootToken, ...tokens.values()]) expect(text).not.toContain(secret);
    }
  },
);
