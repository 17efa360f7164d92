import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { startAdmin, rootToken, type AdminHarness } from '../../test/support/admin-harness.ts';
import { matching } from '../../test/support/matching.ts';

const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const raw = (path: string, init: RequestInit) => describedFetch(`${harness.base}${path}`, init);
const token = { 'X-StorageApi-Token': rootToken };

describe('D9: a request that cannot be read is told why', () => {
  test('a body that is not JSON names the position', async () => {
    const headers = { ...token, 'Content-Type': 'application/json; charset=utf-8' };
    const answer = await raw(S, { method: 'POST', headers, body: '{"name": x}' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'stream.api.decodePayload',
      message: matching(/unexpected character 'x' at 1:10/),
    });
  });

  test.each([
    { rule: 'no body', body: '', status: 400, name: 'missingPayload' },
    {
      rule: 'another type',
      headers: { 'Content-Type': 'text/csv' },
      body: '{}',
      status: 415,
      name: 'unsupportedMediaType',
    },
    { rule: 'bytes that are not UTF-8', body: new Uint8Array([0x22, 0xff, 0x22]), status: 400, name: 'decodePayload' },
    { rule: 'a body over the limit', body: 'x'.repeat(9 * 1024 * 1024), status: 413, name: 'payloadTooLarge' },
    {
      rule: 'an unknown encoding',
      headers: { 'Content-Encoding': 'lzma' },
      body: '{}',
      status: 415,
      name: 'unsupportedMediaType',
    },
    {
      rule: 'a broken gzip body',
      headers: { 'Content-Encoding': 'gzip' },
      body: '{}',
      status: 400,
      name: 'decodePayload',
    },
    {
      rule: 'much from a stranger',
      headers: { 'X-StorageApi-Token': '' },
      body: 'x'.repeat(70_000),
      status: 413,
      name: 'payloadTooLarge',
    },
  ])('$rule', async ({ headers = {}, body, status, name }) => {
    const answer = await raw(S, {
      method: 'POST',
      headers: { ...token, 'Content-Type': 'application/json', ...headers },
      body,
    });
    expect(await answer.json()).toMatchObject({ statusCode: status, error: `stream.api.${name}` });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    ['no Host', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['an odd expectation', 'GET /v1 HTTP/1.1\r\nHost: a\r\nExpect: rain\r\nConnection: close\r\n\r\n', '417'],
    ['headers over the limit', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s on the wire is answered and cut', async (_, sent, status) => {
    const socket = connect(Number(new URL(harness.base).port), '127.0.0.1');
    socket.end(sent);
    let received = '';
    for await (const chunk of socket.setEncoding('utf8')) received += String(chunk);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"statusCode": ${status}`, 's'));
  });
});
