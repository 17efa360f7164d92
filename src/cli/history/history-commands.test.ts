import { describe, expect, it } from 'vitest';
import { exampleTask, exampleTime, exampleVersion, onePage, runAnswered } from '../../../test/support/command-api.ts';

const shop = '/v1/branches/default/sources/shop';
const orders = `${shop}/sinks/orders`;
const renamed = {
  ...exampleVersion,
  number: 2,
  description: 'Say what it is.',
  by: { type: 'user', tokenId: '3', tokenDesc: 'ada' },
};

describe('versions', () => {
  it('are listed with number, time, who and description, over all pages', async () => {
    const page = { ...onePage, limit: 1, totalCount: 2 };
    const { code, stdout } = await runAnswered(['source', 'versions', 'shop'], () => ({
      [`GET ${shop}/versions`]: { body: { page: { ...page, lastId: '0000000001' }, versions: [exampleVersion] } },
      [`GET ${shop}/versions?afterId=1`]: { body: { page: { ...page, lastId: '0000000002' }, versions: [renamed] } },
      [`GET ${shop}/versions?afterId=2`]: { body: { page: { ...page, lastId: '' }, versions: [] } },
    }));
    expect(code).toBe(0);
    expect(stdout).toBe(`number  when                      who   description
     1  ${exampleTime}  user  New source.
     2  ${exampleTime}  ada   Say what it is.
`);
    const json = await runAnswered(['sink', 'versions', 'shop', 'orders', '--json'], () => ({
      [`GET ${orders}/versions`]: { body: { page: onePage, versions: [renamed] } },
    }));
    expect(JSON.parse(json.stdout)).toEqual([renamed]);
  });

  it('show what they defined, by number', async () => {
    const mapping = { columns: [{ type: 'path', name: 'total', path: 'order.total', rawString: true }] };
    const definition = {
      type: 'table',
      name: 'Orders',
      description: '',
      table: { type: 'keboola', tableId: 'in.c-shop.orders', mapping },
      settings: { 'log.retention.size': '1GB' },
    };
    const { stdout } = await runAnswered(['sink', 'versions', 'shop', 'orders', '2'], () => ({
      [`GET ${orders}/versions/2`]: { body: { ...renamed, definition } },
    }));
    expect(stdout).toBe(`version    2 of ${exampleTime}: Say what it is.
by         ada
name       Orders
table      in.c-shop.orders
column 1   total:text:order.total
setting 1  log.retention.size=1GB
`);
    const source = await runAnswered(['source', 'versions', 'shop', '1'], () => ({
      [`GET ${shop}/versions/1`]: {
        body: { ...exampleVersion, definition: { type: 'http', name: 'Shop', description: 'All of it', settings: {} } },
      },
    }));
    expect(source.stdout).toContain('name         Shop\ndescription  All of it\ntype         http\n');
  });
});

describe('rollback', () => {
  it('makes a version like an older one, and says so; a failing one says why', async () => {
    const result = 'Sink version was rolled back successfully.';
    const done = await runAnswered(['sink', 'rollback', 'shop', 'orders', '2'], () => ({
      [`PUT ${orders}/versions/2/rollback`]: { status: 202, body: exampleTask('success', { result }) },
    }));
    expect(done).toMatchObject({ code: 0, stdout: `${result}\n`, stderr: '' });
    const message = 'Source version "9" not found in the source.';
    const failed = await runAnswered(['source', 'rollback', 'shop', '9'], () => ({
      [`PUT ${shop}/versions/9/rollback`]: { status: 404, body: { statusCode: 404, message } },
    }));
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: `millrace: ${message}\n` });
  });

  it('D9: refuses what is no number of a version, before anything is asked', async () => {
    const refused = await runAnswered(['source', 'rollback', 'shop', 'first'], () => ({}));
    expect(refused).toMatchObject({ code: 2, seen: [] });
    expect(refused.stderr).toContain('VERSION must be a number that "versions" lists, such as 3.');
  });
});
