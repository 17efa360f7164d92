import { describe, expect, it } from 'vitest';
import {
  exampleSink,
  exampleSource,
  exampleTask,
  exampleTime,
  onePage,
  runAnswered,
} from '../../test/support/command-api.ts';
import type { Answers } from '../../test/support/small-api.ts';

const S = '/v1/branches/default/sources';
const deleted = { at: exampleTime, by: { type: 'user', tokenId: '3', tokenDesc: 'ada' } };

describe('what is deleted', () => {
  it('is listed with when and by whom, of sources and of all sinks', async () => {
    const sources = await runAnswered(['source', 'list', '--deleted'], (url) => ({
      [`GET ${S}/deleted`]: { body: { page: onePage, sources: [{ ...exampleSource(url), deleted }] } },
    }));
    expect(sources).toMatchObject({ code: 0, stderr: '' });
    expect(sources.stdout).toMatch(
      /^source +type +name +deleted +by\nshop +http +Shop +2026-01-02T03:04:05.678Z +ada\n$/,
    );
    const sinks = await runAnswered(['sink', 'list', '--deleted'], (url) => ({
      [`GET ${S}`]: { body: { page: onePage, sources: [exampleSource(url)] } },
      [`GET ${S}/shop/sinks/deleted`]: { body: { page: onePage, sinks: [{ ...exampleSink, deleted }] } },
    }));
    expect(sinks.stdout).toMatch(/^shop +orders +in\.c-shop\.orders +2026-01-02T03:04:05.678Z +ada$/m);
  });

  it('comes back with undelete, or it is said why not', async () => {
    const undeleted = await runAnswered(['sink', 'undelete', 'shop', 'orders'], () => ({
      [`PUT ${S}/shop/sinks/orders/undelete`]: {
        status: 202,
        body: exampleTask('success', { result: 'Sink has been undeleted successfully.' }),
      },
    }));
    expect(undeleted).toMatchObject({ code: 0, stdout: 'Sink has been undeleted successfully.\n', stderr: '' });
    const message = 'Deleted source "shop" not found in the branch.';
    const refused = await runAnswered(['source', 'undelete', 'shop', '--json'], () => ({
      [`PUT ${S}/shop/undelete`]: { status: 404, body: { statusCode: 404, message } },
    }));
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: `millrace: ${message}\n` });
  });
});

describe('source delete --cascade', () => {
  const sinks = (...list: readonly object[]) => ({ body: { page: onePage, sinks: list } });
  const table = (id: string, rowsCount: number) => ({ id, columns: ['id'], rowsCount });
  const on = (tableId: string) => ({ ...exampleSink, sinkId: 'more', table: { ...exampleSink.table, tableId } });
  const answers = (url: string): Answers => ({
    [`GET ${S}`]: {
      body: { page: onePage, sources: [exampleSource(url), { ...exampleSource(url), sourceId: 'web' }] },
    },
    [`GET ${S}/shop/sinks`]: sinks(exampleSink, on('in.c-all.events')),
    [`GET ${S}/shop/sinks/deleted`]: sinks({ ...on('in.c-shop.old'), sinkId: 'old', deleted }),
    [`GET ${S}/web/sinks`]: sinks(),
    [`GET ${S}/web/sinks/deleted`]: sinks({ ...on('in.c-all.events'), deleted }),
    'GET /v2/storage/tables': {
      body: [
        table('in.c-all.events', 7),
        table('in.c-shop.old', 1),
        table('in.c-shop.orders', 12345),
        table('in.c-web.own', 2),
      ],
    },
    [`DELETE ${S}/shop?cascade=true`]: { status: 202, body: exampleTask('success', { result: 'Gone.' }) },
  });
  const whatGoes = `This deletes the source shop for good, with all its versions, and
  sink orders
  sink more
  sink old, which is deleted already
  table in.c-shop.old with 1 row
  table in.c-shop.orders with 12 345 rows
  bucket in.c-shop
The table in.c-all.events stays: a sink of another source fills it, too.
The bucket in.c-all stays: other tables are in it.
Events that are not in their tables yet are given up.
Dead letters stay, in the table sys.c-millrace.dead_letters.
`;

  it('D9: says what goes, and does nothing without --yes where nobody can be asked', async () => {
    const refused = await runAnswered(['source', 'delete', 'shop', '--cascade'], answers);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `${whatGoes}millrace: Nothing was deleted: nobody can be asked here, so give --yes.\n`,
    });
    expect(refused.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('deletes with --yes, and says what went', async () => {
    const done = await runAnswered(['source', 'delete', 'shop', '--cascade', '--yes'], answers);
    expect(done).toMatchObject({ code: 0, stdout: 'Gone.\n', stderr: whatGoes });
  });

  it('is for good only with --cascade', async () => {
    const done = await runAnswered(['source', 'delete', 'shop', '--yes'], () => ({
      [`DELETE ${S}/shop`]: { status: 202, body: exampleTask('success', { result: 'Deleted.' }) },
    }));
    expect(done).toMatchObject({ code: 0, stdout: 'Deleted.\n', stderr: '' });
  });
});

describe('source rotate-secret', () => {
  const rotated = (url: string) => ({ ...exampleSource(url), previousSecretValidUntil: exampleTime });

  it('prints the new URL, and until when the old one is valid', async () => {
    const { code, stdout } = await runAnswered(['source', 'rotate-secret', 'shop', '--overlap', '24h'], (url) => ({
      [`POST ${S}/shop/rotate-secret?overlap=24h`]: { body: rotated(url) },
    }));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^source +shop\nurl +http:\/\/127\.0\.0\.1:\d+\/stream\/1\/shop\/secret\nold url +valid until 2026-01-02T03:04:05.678Z\n$/,
    );
  });

  it('says that the old one ended, when there is no overlap; --json has the source', async () => {
    const answers = (url: string) => ({ [`POST ${S}/shop/rotate-secret`]: { body: exampleSource(url) } });
    const plain = await runAnswered(['source', 'rotate-secret', 'shop'], answers);
    expect(plain.stdout).toMatch(/^old url +not valid any more$/m);
    const json = await runAnswered(['source', 'rotate-secret', 'shop', '--json'], answers);
    expect(JSON.parse(json.stdout)).toMatchObject({ sourceId: 'shop', http: { url: expect.any(String) as string } });
  });

  it('D9: fails with 1 and the rule that the overlap breaks', async () => {
    const message = '"overlap" must be between 0s and 720h0m0s but got value "9999h".';
    const refused = await runAnswered(['source', 'rotate-secret', 'shop', '--overlap', '9999h'], () => ({
      [`POST ${S}/shop/rotate-secret?overlap=9999h`]: { status: 400, body: { statusCode: 400, message } },
    }));
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `millrace: ${message.replace('"overlap"', '--overlap')}\n`,
    });
  });
});
