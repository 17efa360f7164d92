import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { apiDocument } from './openapi/api-document.ts';
import { examples } from './openapi/examples.ts';
import { routeTable } from './routes/families.ts';

const S = '/v1/branches/default/sources';
const K = `${S}/my-source/sinks`;

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

/** Texts and numbers that differ from one installation and hour to another are told apart by their form only. */
function formOf(value: unknown): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/https?:\/\/[^/]+/g, '<base>')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/^[0-9a-f]{16}$/g, '<hash>')
      .replaceAll(/\/stream\/\d+\/my-source\/\w{48}/g, '/stream/<project>/my-source/<secret>')
      .replaceAll(/_\w{5}$/g, '_<random>');
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, isAsItMay(name) ? '<number>' : formOf(one)]);
  return Object.fromEntries(entries);
}

function isAsItMay(name: string): boolean {
  return name === 'projectId' || name === 'duration';
}

test('the story of the examples is what the API does: bodies are accepted, answers look so', async () => {
  const { api } = harness;
  const looksAsDescribed = async (name: string, path: string): Promise<void> =>
    expect(formOf(await api.call('GET', path)), name).toEqual(formOf(examples[name]));
  const task = await api.task('POST', S, examples['CreateSourceBody']);
  await looksAsDescribed('Task', `/v1/tasks/${String(task['taskId'])}`);
  await looksAsDescribed('Source', `${S}/my-source`);
  await looksAsDescribed('Sink', `${K}/my-sink`);
  await looksAsDescribed('SinkProgress', `${K}/my-sink/progress`);
  await looksAsDescribed('Table', '/v2/storage/tables/in.c-shop.orders');
  const tested = await api.call('POST', `${S}/my-source/test`, { order: { total: 12.5 } });
  expect(formOf(tested)).toEqual(formOf(examples['TestResult']));
  await api.task('POST', K, examples['CreateSinkBody']);
  await api.task('PATCH', `${S}/my-source`, examples['UpdateSourceBody']);
  await api.task('PATCH', `${K}/my-sink`, examples['UpdateSinkBody']);
  await api.call('PATCH', `${K}/my-sink/settings`, examples['SettingsBody']);
});

test('every example stands at a schema of its name, and fits it', () => {
  const document: unknown = JSON.parse(JSON.stringify(apiDocument(routeTable, { version: '1', serverUrl: '/' })));
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajvFormats.default(ajv);
  ajv.addSchema(document as object, 'api');
  for (const [name, example] of Object.entries(examples)) {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` });
    expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }
});
