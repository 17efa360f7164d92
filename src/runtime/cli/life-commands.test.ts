import { describe, expect, it } from 'vitest';
import {
  exampleSink,
  exampleSource,
  exampleTask,
  exampleTime,
  onePage,
  runAnswered,
} from '../../../test/support/command-api.ts';

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
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: `millrace: ${message}\n` });
  });
});
