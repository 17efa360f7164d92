/**
 * Attacks the product with requests that schemathesis makes of its OpenAPI document, and fails at an answer that is no such as the
 * document says: `npm run schemathesis -- --max-examples 20 --seed 7 --requests 5000`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '../support/script-options.ts';
import { Api } from '../support/api.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { attack, type Attack } from './attack.ts';
import { schemathesisProgram } from './program.ts';

const help = `npm run schemathesis -- [--max-examples 20] [--seed 1] [--requests 5000]

Attacks the product with requests that schemathesis makes of its OpenAPI document.

  --max-examples  of each operation
  --seed          a failing one can be run again
  --requests      at least so many must have been sent`;

const values = scriptOptions(help, {
  'max-examples': { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  requests: { type: 'string', default: '5000' },
});

const branch = '/v1/branches/default';
const table = {
  tableId: 'in.c-shop.orders',
  mapping: {
    columns: [
      { type: 'uuid', name: 'id' },
      { type: 'path', name: 'total', path: 'total', defaultValue: '' },
    ],
  },
};
const sourceId = 'my-source';
const otherId = 'telemetry';
const sinkId = 'my-sink';
const bodyColumn = [{ type: 'body', name: 'body' }];
const component = 'generic-extractor';
const configurationId = 'my-configuration';
const rowId = 'my-row';
const present = {
  branchId: ['default', '1'],
  sourceId: [sourceId, otherId],
  sinkId: [sinkId],
  tableId: [table.tableId],
  bucketId: ['in.c-shop'],
  componentId: [component, 'ex-generic-v2'],
  configurationId: [configurationId],
  rowId: [rowId],
  name: ['my-value'],
};
/**
 * Each finds what the one before left, and leaves what the next one needs. Sources are made last: before, an id that is
 * made up is no one's.
 */
const inTurn = ['deleteSink', 'undeleteSink', 'createSink', 'deleteSource', 'undeleteSource', 'createSource'];

const bothPlaces = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => [id, `${id}InBranch`]);

/** What takes away what the others are to meet: it comes behind them. */
const takesAway = [
  ...bothPlaces(['deleteConfigurationRow', 'deleteConfiguration', 'restoreConfiguration', 'deleteVaultVariable']),
  'killJob',
];

/** What makes something under ids that are made up: it comes last. */
const makes = bothPlaces([
  'setVaultVariable',
  'createConfigurationRow',
  'copyConfigurationRow',
  'copyConfiguration',
  'createConfiguration',
]);

/** On what is there; with a token that may read only; on what comes and goes; on ids that are made up. */
function attacksOn(fixed: Readonly<Record<string, readonly string[]>>): readonly Attack[] {
  return [
    { name: 'present', fixed, except: [...inTurn, ...takesAway, ...makes, 'deleteToken'] },
    // Its own token would be replaced. It may send little, and hears of that (413) before it hears what is wrong.
    { name: 'onlooker', fixed, role: 'readOnly', except: ['refreshToken'], unchecked: ['negative_data_rejection'] },
    ...[...takesAway, ...inTurn, ...makes].map((id) => ({ name: id, fixed, only: [id] })),
    { name: 'anything' },
  ];
}

/** What the attacks are to meet. */
async function furnish(api: Api): Promise<Readonly<Record<string, readonly string[]>>> {
  const sinks = [{ name: 'My Sink', sinkId, table }];
  await api.task('POST', `${branch}/sources`, { type: 'http', name: 'My Source', sourceId, sinks });
  const body = { name: 'My Sink', sinkId, table: { tableId: 'in.c-shop.telemetry', mapping: { columns: bodyColumn } } };
  await api.task('POST', `${branch}/sources`, { type: 'http', name: 'Telemetry', sourceId: otherId, sinks: [body] });
  const { http } = await api.call<{ http: { url: string } }>('GET', `${branch}/sources/${sourceId}`);
  for (let at = 0; at < 20; at += 1)
    await fetch(http.url, {
      method: 'POST',
      body: JSON.stringify({ total: at }),
      headers: { 'Content-Type': 'application/json' },
    });
  const task = await api.task('POST', `${branch}/sources/${sourceId}/sinks/${sinkId}/flush`);
  const configs = `/v2/storage/components/${component}/configs`;
  const configuration = { parameters: { api: { baseUrl: 'http://127.0.0.1:1/', '#token': 'sesame' } } };
  await api.call('POST', configs, { name: 'My Configuration', configurationId, configuration });
  await api.call('POST', `${configs}/${configurationId}/rows`, { rowId, configuration: { parameters: {} } });
  await api.call('PUT', `${configs}/${configurationId}/rows/${rowId}`, { name: 'My Row' });
  for (const place of ['', '/branch/default'])
    await api.call('POST', `/v2/storage${place}/vault/variables`, { name: 'my-value', value: 'sesame' });
  const job = await api.call<{ id: string }>('POST', '/jobs', { component, config: configurationId });
  return { ...present, taskId: [String(task['taskId'])], jobId: [job.id] };
}

/** Deletes the source, so that it can be undeleted: the attack on deleting may have deleted it for good. */
async function bury(api: Api): Promise<void> {
  const one = `${branch}/sources/${sourceId}`;
  const { status } = await api.request('GET', one);
  if (status === 404) await api.task('POST', `${branch}/sources`, { type: 'http', name: 'My Source', sourceId });
  await api.task('DELETE', one);
}

const program = await schemathesisProgram();
const folder = await mkdtemp(join(tmpdir(), 'millrace-schemathesis-'));
let requests = 0;
const failed: string[] = [];
try {
  await using installation = await Installation.start({ env: { MILLRACE_LOG_LEVEL: 'error' } });
  const { admin: url } = installation.process;
  const api = new Api(url, rootToken);
  const fixed = await furnish(api);
  const options = { program, url, folder };
  const tokenOf = async ({ role }: Attack): Promise<string> =>
    role === undefined
      ? rootToken
      : (await api.call<{ token: string }>('POST', '/v2/storage/tokens', { description: role, role })).token;
  for (const one of attacksOn(fixed)) {
    console.log(`\nattack "${one.name}"`);
    if (one.name === 'undeleteSource') await bury(api);
    const numbers = { maxExamples: Number(values['max-examples']), seed: Number(values.seed) };
    const report = await attack(one, { ...options, ...numbers, token: await tokenOf(one) });
    requests += report.requests;
    if (!report.passed) failed.push(one.name);
  }
  const errors = installation.process.stderr().trim();
  if (errors !== '') failed.push(`the log, which tells of errors:\n${errors}`);
  const ready = await fetch(`${url}/health/ready`);
  if (!ready.ok) failed.push(`the process, which is not ready: ${await ready.text()}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${requests} requests`);
if (failed.length > 0) throw new Error(`something was found by ${failed.join(', ')}`);
if (requests < Number(values.requests))
  throw new Error(`fewer than ${values.requests} requests were sent: give --max-examples more`);
