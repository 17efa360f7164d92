import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';

const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

function sinkOf(name: string, content: string) {
  const template = { language: 'jsonnet', content };
  const columns = [{ type: 'template', name: 'total', rawString: true, template }];
  return { name, table: { tableId: `in.c-t.${name}`, mapping: { columns } } };
}

const refusal = {
  statusCode: 400,
  error: 'stream.api.badRequest',
  message: 'Column "total" template is invalid: 2:3-7 Unknown variable: nope.',
};
const wrong = '1 +\n  nope';

describe('D9: a template that can be right for no event is refused in the request', () => {
  test('that creates a source with sinks, and nothing is made', async () => {
    const body = { type: 'http', name: 'a', sinks: [sinkOf('good', '1'), sinkOf('bad', wrong)] };
    expect((await harness.api.request('POST', S, body)).body).toMatchObject(refusal);
    expect((await harness.api.request('GET', `${S}/a`)).status).toBe(404);
  });

  test('that creates or changes a sink, and the sink stays as it was', async () => {
    await harness.api.task('POST', S, { type: 'http', name: 'b' });
    expect((await harness.api.request('POST', `${S}/b/sinks`, sinkOf('k', wrong))).body).toMatchObject(refusal);
    await harness.api.task('POST', `${S}/b/sinks`, sinkOf('k', '1'));
    const { table } = sinkOf('k', wrong);
    expect((await harness.api.request('PATCH', `${S}/b/sinks/k`, { table })).body).toMatchObject(refusal);
    expect((await harness.api.request('GET', `${S}/b/sinks/k`)).body).toMatchObject({
      version: { number: 1 },
      table: sinkOf('k', '1').table,
    });
    await harness.api.task('PATCH', `${S}/b/sinks/k`, { table: sinkOf('k', 'Body("a")').table });
    expect((await harness.api.request('GET', `${S}/b/sinks/k`)).body).toMatchObject({ version: { number: 2 } });
  });

  test('but what depends on the event is not', async () => {
    await harness.api.task('POST', S, { type: 'http', name: 'c', sinks: [sinkOf('k', 'error "no"')] });
  });
});

test('D8: other requests are answered while a test runs, however long its columns take', async () => {
  const slow = (name: string) => ({
    type: 'template',
    name,
    template: { language: 'jsonnet', content: 'local f(n) = f(n + 1) tailstrict; f(0)' },
  });
  const columns = Array.from({ length: 5 }, (_, at) => slow(`c${at}`));
  const sink = { name: 'slow', table: { tableId: 'in.c-t.slow', mapping: { columns } } };
  await harness.api.task('POST', S, { type: 'http', name: 'd', sinks: [sink] });
  const order: string[] = [];
  const note = (what: string) => (answer: { readonly status: number }) => order.push(`${what} ${answer.status}`);
  const testing = harness.api.request('POST', `${S}/d/test`, {}).then(note('test'));
  await harness.api.request('GET', `${S}/d`).then(note('other'));
  await testing;
  expect(order).toEqual(['other 200', 'test 422']);
});
