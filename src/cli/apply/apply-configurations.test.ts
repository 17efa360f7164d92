import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';

let harness: AdminHarness;
let folder: string;

beforeEach(async () => {
  harness = await startAdmin();
  folder = await mkdtemp(join(tmpdir(), 'millrace-apply-'));
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandRun> =>
  runMillrace(args, { cwd: folder, env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken, ...env } });
const put = (text: string): Promise<void> => writeFile(join(folder, 'shop.yaml'), text);
const apply = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<CommandRun> =>
  run(['apply', '-f', 'shop.yaml', '--yes', ...args], env);

interface Shown {
  readonly version: number;
  readonly configuration: { readonly parameters: Readonly<Record<string, unknown>> };
  readonly rows: readonly { readonly id: string; readonly version: number }[];
}
const C = '/v2/storage/components';
const get = (path: string): Promise<Shown> => harness.api.call<Shown>('GET', `${C}/${path}`);

const secret = 'correct-horse-battery';
const file = `
configurations:
  generic-extractor:
    shop:
      name: The shop
      configuration:
        parameters:
          "#token": { env: SHOP_TOKEN }
          big: 12345678901234567890
          api: { baseUrl: "https://{{city}}.example.com" }
        variables_id: cities
      rows:
        orders: { configuration: { parameters: { endpoint: orders } } }
        users: { disabled: true }
      schedule:
        cron: "0 3 * * *"
        timeZone: Europe/Prague
        values: { city: Brno }
  variables:
    cities:
      configuration: { variables: [{ name: city, type: string }] }
      rows:
        brno: { configuration: { values: [{ name: city, value: Brno }] } }
`;

it('makes configurations with rows, values and schedules, shows no secret, and the second time changes nothing', async () => {
  await put(file);
  const first = await apply([], { SHOP_TOKEN: secret });
  expect({ code: first.code, stderr: first.stderr.replace(/Everything.*\n/, '') }).toEqual({ code: 0, stderr: '' });
  expect(first.stdout).toContain(`+ configuration generic-extractor/shop
    name                                  The shop
    configuration.parameters.#token       (of SHOP_TOKEN)
    configuration.parameters.big          12345678901234567890
    configuration.parameters.api.baseUrl  https://{{city}}.example.com
    configuration.variables_id            cities
`);
  expect(first.stdout).toContain(`+ schedule generic-extractor/shop
    cron         0 3 * * *
    timeZone     Europe/Prague
    values.city  Brno
`);
  expect(`${first.stdout}${first.stderr}`).not.toContain(secret);
  const shop = await get('generic-extractor/configs/shop');
  expect(JSON.stringify(shop)).not.toContain(secret);
  expect(shop.rows.map(({ id }) => id)).toEqual(['orders', 'users']);
  expect(await harness.api.call('GET', `${C}/generic-extractor/configs/shop/schedule`)).toMatchObject({
    cron: '0 3 * * *',
    variableValuesData: { values: [{ name: 'city', value: 'Brno' }] },
  });
  const second = await apply();
  expect(second.stdout).toContain('6 unchanged');
  expect((await get('generic-extractor/configs/shop')).version).toBe(shop.version);
});

it('without the variable of a new secret it leaves the configuration, says why, and does the rest', async () => {
  await put(file);
  const { code, stdout, stderr } = await apply();
  expect(code).toBe(1);
  expect(stdout).toContain('! "parameters.#token" is a secret: set the environment variable SHOP_TOKEN to it');
  expect(stderr).toContain('configuration generic-extractor/shop: "parameters.#token" is a secret');
  expect(stdout).toContain('configuration variables/cities: created');
  expect((await harness.api.request('GET', `${C}/generic-extractor/configs/shop`)).status).toBe(404);
});

it('changes what differs, keeps a secret that is stored, and sets it anew when it is told to', async () => {
  await put(file);
  await apply([], { SHOP_TOKEN: secret });
  const before = (await get('generic-extractor/configs/shop')).configuration.parameters['#token'];
  await put(
    file.replace('name: The shop', 'name: Another').replace('0 3 * * *', '0 4 * * *').replace('big: 1', 'big: 2'),
  );
  const changed = await apply();
  expect(changed.stdout).toContain(`~ configuration generic-extractor/shop
    name                          The shop → Another
    configuration.parameters.big  12345678901234567890 → 22345678901234567890
`);
  expect(changed.stdout).toContain('0 3 * * * → 0 4 * * *');
  expect((await get('generic-extractor/configs/shop')).configuration.parameters['#token']).toBe(before);
  const anew = await apply(['--set-secrets'], { SHOP_TOKEN: 'another-secret' });
  expect(anew.stdout).toContain('(secret) → (of SHOP_TOKEN)');
  expect((await get('generic-extractor/configs/shop')).configuration.parameters['#token']).not.toBe(before);
});

it('deletes configurations, rows and schedules of no file only when it is asked to, and never sources', async () => {
  await put(file);
  await apply([], { SHOP_TOKEN: secret });
  await harness.api.call('POST', `${C}/generic-extractor/configs`, { name: 'By hand', configurationId: 'hand' });
  await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'kept' });
  await put(file.replace(/ {8}orders: .*\n/, '').replace(/ {6}schedule:(?:\n {8}.*)+/, ''));
  const diff = await run(['diff', '-f', 'shop.yaml']);
  expect(diff.stdout).toContain('row generic-extractor/shop/orders is in no file and stays; --prune deletes it');
  expect(diff.stdout).toContain('schedule generic-extractor/shop is in no file and stays; --prune deletes it');
  expect(diff.stdout).toContain('configuration generic-extractor/hand is in no file and stays; --prune deletes it');
  expect(diff.code).toBe(0);
  const pruned = await apply(['--prune']);
  expect(pruned.stdout).toContain('row generic-extractor/shop/orders: deleted');
  expect(pruned.stdout).toContain('configuration generic-extractor/hand: deleted');
  expect((await get('generic-extractor/configs/shop')).rows.map(({ id }) => id)).toEqual(['users']);
  expect((await harness.api.request('GET', `${C}/generic-extractor/configs/shop/schedule`)).status).toBe(404);
  expect((await harness.api.request('GET', '/v1/branches/default/sources/kept')).status).toBe(200);
});

it('puts rows into the order of the file', async () => {
  await put(file);
  await apply([], { SHOP_TOKEN: secret });
  const [orders, users] = [/ {8}orders: .*\n/.exec(file)?.[0] ?? '', / {8}users: .*\n/.exec(file)?.[0] ?? ''];
  await put(file.replace(orders, '').replace(users, `${users}${orders}`));
  expect((await apply()).stdout).toContain('order of rows  [orders, users] → [users, orders]');
  expect((await get('generic-extractor/configs/shop')).rows.map(({ id }) => id)).toEqual(['users', 'orders']);
});

it('an export names a variable for each secret, keeps all digits, and differs from nothing', async () => {
  await put(file);
  await apply([], { SHOP_TOKEN: secret });
  const { stdout } = await run(['export']);
  expect(stdout).toContain('"#token":\n            env: SHOP_PARAMETERS_TOKEN');
  expect(stdout).toContain('big: 12345678901234567890');
  await put(stdout);
  expect((await run(['diff', '-f', 'shop.yaml', '--prune'])).stdout).toBe('6 unchanged\n');
  const json = await run(['export', '--json']);
  expect(json.stdout).toContain('"big": 12345678901234567890');
  const copy = await run(['apply', '-f', 'shop.yaml', '--branch', '2', '--yes'], { SHOP_PARAMETERS_TOKEN: secret });
  expect(copy.stdout).toContain('6 to create');
  expect(copy.code).toBe(0);
});

it('an element of a list that moved keeps its own secret, and a new one takes none of another', async () => {
  const job = (name: string) => `{ endpoint: ${name}, "#key": { env: KEY_${name} } }`;
  const list = (...names: readonly string[]) =>
    `configurations:\n  generic-extractor:\n    shop:\n      configuration: { parameters: { jobs: [${names.map(job).join(', ')}] } }\n`;
  const keys = async (): Promise<Readonly<Record<string, string>>> => {
    const { jobs } = (await get('generic-extractor/configs/shop')).configuration.parameters;
    const all = jobs as readonly Readonly<Record<'endpoint' | '#key', string>>[];
    return Object.fromEntries(all.map((one) => [one.endpoint, one['#key']]));
  };
  await put(list('A', 'B'));
  expect((await apply([], { KEY_A: 'secret-a', KEY_B: 'secret-b' })).code).toBe(0);
  const before = await keys();
  await put(list('B', 'C', 'A'));
  const refused = await apply();
  expect(refused.stdout).toContain('"parameters.jobs[1].#key" is a secret: set the environment variable KEY_C to it');
  expect(refused.code).toBe(1);
  expect((await apply([], { KEY_C: 'secret-c' })).code).toBe(0);
  expect(await keys()).toMatchObject(before);
});

it('all that is wrong with a file is said at once', async () => {
  await put(`
configurations:
  postgres: {}
  generic-extractor:
    shop:
      configuration: { parameters: { "#password": hunter2 } }
      schedule: { cron: "0 0 31 2 *" }
      colour: red
`);
  const { code, stderr } = await apply();
  expect(code).toBe(2);
  expect(stderr).toContain('configurations.postgres: must be generic-extractor or variables or shared-code');
  expect(stderr).toContain(
    'configurations.generic-extractor.shop.configuration.parameters.#password: secrets do not belong in a file: { env: PARAMETERS_PASSWORD } takes it from the environment',
  );
  expect(stderr).not.toContain('hunter2');
  expect(stderr).toContain('"0 0 31 2 *" is never');
  expect(stderr).toContain('colour: there is no such field');
});
