import { describe, expect, it, onTestFinished, test } from 'vitest';
import { answering, hostileApi, type Behaviour, type HostileApi } from '../../../test/support/hostile-api.ts';
import { parseHostRule, type HostRule } from '../../core/host-rule.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { HttpClient, HttpRequest } from '../../ports/http-client.ts';
import type { HttpClientOptions } from './config.ts';
import { openHttpClient } from './http-client.ts';

const waiting = { signal: new AbortController().signal };

function rulesOf(allowed: string): readonly HostRule[] {
  return [parseHostRule(allowed)].filter((rule) => rule !== undefined);
}

function opened(allowed: string, options: Partial<HttpClientOptions> = {}): HttpClient & AsyncDisposable {
  const client = openHttpClient({ allowedHosts: rulesOf(allowed), ...options });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

async function served(behaviours: Readonly<Record<string, Behaviour>>): Promise<HostileApi> {
  const api = await hostileApi(behaviours);
  onTestFinished(() => api[Symbol.asyncDispose]());
  return api;
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return { method: 'GET', url, headers };
}

async function failureOf(sending: Promise<unknown>): Promise<MillraceError> {
  const thrown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof MillraceError) return thrown;
  throw new Error('it did not fail as it should', { cause: thrown });
}

async function codeOf(sending: Promise<unknown>): Promise<string> {
  const { code, details } = await failureOf(sending);
  return typeof details['why'] === 'string' ? `${code} ${details['why']}` : code;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

function redirect(location: string, status = 302): Behaviour {
  return answering('', `location: ${location}\r\n`, `${status} Moved`);
}

describe('a request', () => {
  it('is answered with status, headers and body, whatever the status', async () => {
    const api = await served({ '/a?b=1': answering('{"x":1}', 'X-A: 1\r\nX-A: 2\r\n', '404 Not Found') });
    const url = `http://127.0.0.1:${api.port}/a?b=1`;
    const answer = await opened('127.0.0.1').send(get(url, { 'X-Key': 'k' }), waiting);
    expect({ ...answer, body: textOf(answer.body) }).toMatchObject({
      status: 404,
      headers: { 'x-a': '1, 2', 'content-length': '7' },
      body: '{"x":1}',
      url,
    });
    expect(api.heads[0]).toMatch(/^GET \/a\?b=1 HTTP\/1.1\r\n/);
    expect(api.heads[0]).toContain('X-Key: k');
    expect(api.heads[0]?.toLowerCase()).toContain('user-agent: millrace');
  });

  it('sends its body, and user and password of its URL as a header', async () => {
    const api = await served({ '/login': answering('ok') });
    const url = `http://me:p%40ss@127.0.0.1:${api.port}/login`;
    await opened('127.0.0.1').send(
      { method: 'POST', url, headers: { 'content-type': 'text/plain' }, body: 'é' },
      waiting,
    );
    const [head = ''] = api.heads;
    expect(head).toContain(`authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(head.toLowerCase()).toContain('content-length: 2');
    expect(head).not.toContain('p%40ss');
  });

  it('uses the connections that are there', async () => {
    const api = await served({ '/': answering('1') });
    const client = opened('127.0.0.1');
    for (let page = 0; page < 5; page += 1) await client.send(get(`http://127.0.0.1:${api.port}/`), waiting);
    // A second one is made where a request follows before the first is known to be free.
    expect(api.connections).toBeLessThanOrEqual(2);
  });

  it.each([
    ['a header with a line end', { 'x-a': 'b\r\nx-c: d' }],
    ['a length that its body has not', { 'content-length': '5' }],
  ])('with %s is not sent', async (_, headers) => {
    const api = await served({ '/': answering('1') });
    const request = { ...get(`http://127.0.0.1:${api.port}/`, headers), method: 'POST' as const, body: 'abc' };
    expect(await codeOf(opened('127.0.0.1').send(request, waiting))).toBe('input.invalid');
    expect(api.heads).toEqual([]);
  });

  it('that is ended by its signal ends with its reason and its connection', async () => {
    const leaving = new AbortController();
    const api = await served({ '/': () => leaving.abort(new Error('gone')) });
    const sending = opened('127.0.0.1').send(get(`http://127.0.0.1:${api.port}/`), { signal: leaving.signal });
    await expect(sending).rejects.toThrow('gone');
    await expect.poll(() => api.open).toBe(0);
  });

  it('is not made by a client that is closed, and one under way ends with it', async () => {
    const api = await served({ '/': () => void client[Symbol.asyncDispose]() });
    const client = openHttpClient({ allowedHosts: rulesOf('127.0.0.1') });
    const url = `http://127.0.0.1:${api.port}/`;
    await expect(client.send(get(url), waiting)).rejects.toThrow(MillraceError);
    await expect.poll(() => api.open).toBe(0);
    expect(await codeOf(client.send(get(url), waiting))).toBe('internal.bug');
  });
});

/** Where the inside is asked: none of them is reached, by whatever it is written. */
const inside = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '169.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '10.0.0.1',
  '192.168.0.1',
];

describe('E6: the inside of the network', () => {
  it.each(inside)('is not asked by %s', async (host) => {
    const api = await served({});
    expect(await codeOf(opened('other.internal').send(get(`http://${host}:${api.port}/`), waiting))).toBe(
      'http.refused',
    );
    expect(api.connections).toBe(0);
  });

  it.each(inside)('is not asked by a redirect to %s', async (host) => {
    const victim = await served({ '/': answering('secret') });
    const api = await served({ '/': redirect(`http://${host}:${victim.port}/`) });
    const client = opened(`127.0.0.1:${api.port}`);
    expect(await codeOf(client.send(get(`http://127.0.0.1:${api.port}/`), waiting))).toBe('http.refused');
    expect(victim.connections).toBe(0);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'gopher://127.0.0.1:70/x'])(
    'is not asked by %s, nor by a redirect to it',
    async (url) => {
      const api = await served({ '/': redirect(url) });
      const client = opened('127.0.0.1');
      expect(await codeOf(client.send(get(url), waiting))).toBe('http.refused');
      expect(await codeOf(client.send(get(`http://127.0.0.1:${api.port}/`), waiting))).toBe('http.refused');
    },
  );

  it('is not asked by a name that has a public address and another one', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const api = await served({});
    expect(await codeOf(opened('', { resolve }).send(get(`http://two.example:${api.port}/`), waiting))).toBe(
      'http.refused',
    );
    expect(api.connections).toBe(0);
  });

  it('is not asked by a name that gets another address: what is looked at is what is connected to', async () => {
    const api = await served({
      '/': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\nconnection: close\r\n\r\nx'),
    });
    const asked: string[] = [];
    const addresses = ['127.0.0.1', '127.0.0.2', '169.254.169.254'];
    const resolve = async (name: string) => {
      asked.push(name);
      return [{ address: addresses[asked.length - 1] ?? '::1', family: 4 }];
    };
    const client = opened('127.0.0.1', { resolve });
    const url = `http://rebound.example:${api.port}/`;
    expect(textOf((await client.send(get(url), waiting)).body)).toBe('x');
    expect(asked).toEqual(['rebound.example']);
    expect(await codeOf(client.send(get(url), waiting))).toBe('http.refused');
    expect(await codeOf(client.send(get(url), waiting))).toBe('http.refused');
    expect(api.connections).toBe(1);
  });

  it('is asked where the operator allows it: a name, an address at a port, a network', async () => {
    const api = await served({ '/': answering('x') });
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const [allowed, host] of [
      ['api.internal', 'api.internal'],
      [`api.internal:${api.port}`, 'api.internal'],
      [`127.0.0.1:${api.port}`, 'any.example'],
      ['127.0.0.0/8', '127.0.0.1'],
    ] as const) {
      const answer = await opened(allowed, { resolve }).send(get(`http://${host}:${api.port}/`), waiting);
      expect(textOf(answer.body)).toBe('x');
    }
    expect(await codeOf(opened('127.0.0.1:1').send(get(`http://127.0.0.1:${api.port}/`), waiting))).toBe(
      'http.refused',
    );
  });
});

describe('a redirect', () => {
  it('is followed, and the answer says where it led', async () => {
    const api = await served({ '/a': redirect('/b?c=1', 301), '/b?c=1': answering('x') });
    const answer = await opened('127.0.0.1').send(get(`http://127.0.0.1:${api.port}/a`, { 'x-key': 'k' }), waiting);
    expect(answer).toMatchObject({ status: 200, url: `http://127.0.0.1:${api.port}/b?c=1` });
    expect(api.heads[1]).toContain('x-key: k');
  });

  it('to another origin goes without what identifies the sender', async () => {
    const other = await served({ '/': answering('x') });
    const api = await served({ '/': redirect(`http://me:pw@127.0.0.1:${other.port}/`) });
    const headers = {
      Authorization: 'Bearer t',
      Cookie: 'c=1',
      'X-Api-Key': 'k',
      Accept: 'text/csv',
      Host: 'api.example',
    };
    await opened('127.0.0.1').send(get(`http://127.0.0.1:${api.port}/`, headers), waiting);
    const [head = ''] = other.heads;
    expect(head.toLowerCase()).not.toMatch(/authorization|cookie|x-api-key|api\.example/);
    expect(head).toContain('Accept: text/csv');
  });

  it.each([
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('by %i of a POST is a %s', async (status, method) => {
    const api = await served({ '/a': redirect('/b', status), '/b': answering('x') });
    const request = {
      method: 'POST',
      url: `http://127.0.0.1:${api.port}/a`,
      headers: { 'content-type': 'a/b' },
      body: 'x',
    } as const;
    await opened('127.0.0.1').send(request, waiting);
    const [, head = ''] = api.heads;
    expect(head.split(' ')[0]).toBe(method);
    expect(head.includes('content-type')).toBe(method === 'POST');
  });

  it('of a body to another origin is refused', async () => {
    const other = await served({ '/': answering('x') });
    const api = await served({ '/': redirect(`http://127.0.0.1:${other.port}/`, 307) });
    const request = {
      method: 'POST',
      url: `http://127.0.0.1:${api.port}/`,
      headers: {},
      body: '{"password":"p"}',
    } as const;
    expect(await codeOf(opened('127.0.0.1').send(request, waiting))).toBe('http.refused');
    expect(other.connections).toBe(0);
  });

  it('is followed five times and no more', async () => {
    const steps = Object.fromEntries(Array.from({ length: 6 }, (_, step) => [`/${step}`, redirect(`/${step + 1}`)]));
    const api = await served({ ...steps, '/6': answering('x') });
    const client = opened('127.0.0.1');
    expect((await client.send(get(`http://127.0.0.1:${api.port}/1`), waiting)).status).toBe(200);
    expect(api.connections).toBeLessThanOrEqual(2);
    expect(await codeOf(client.send(get(`http://127.0.0.1:${api.port}/0`), waiting))).toBe('http.refused');
  });
});

describe('without an answer it says why', () => {
  it.each<[string, Behaviour]>([
    ['empty', (socket) => socket.end()],
    ['broken', (socket) => socket.resetAndDestroy()],
    ['broken', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')],
    ['broken', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n')],
    ['broken', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n')],
    ['broken', (socket) => socket.end('this is no HTTP\r\n\r\n')],
    ['broken', answering('no gzip', 'content-encoding: gzip\r\n')],
    ['broken', answering('x', 'content-encoding: compress\r\n')],
    ['broken', answering('x', 'content-encoding: gzip, gzip, gzip\r\n')],
  ])('%s, case %#', async (why, behaviour) => {
    const api = await served({ '/': behaviour });
    const sending = opened('127.0.0.1').send(get(`http://127.0.0.1:${api.port}/`), waiting);
    expect(await codeOf(sending)).toBe(`http.noAnswer ${why}`);
  });

  it('unresolved: a name without an address', async () => {
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const failing = opened('', { resolve: () => Promise.reject(missing) });
    expect(await codeOf(failing.send(get('http://none.example/'), waiting))).toBe('http.noAnswer unresolved');
    const empty = opened('', { resolve: async () => [] });
    expect(await codeOf(empty.send(get('http://none.example/'), waiting))).toBe('http.noAnswer unresolved');
  });

  it('unconnected: nobody listens', async () => {
    const api = await hostileApi({});
    await api[Symbol.asyncDispose]();
    const sending = opened('127.0.0.1').send(get(`http://127.0.0.1:${api.port}/`), waiting);
    expect(await codeOf(sending)).toBe('http.noAnswer unconnected');
  });

  it('timeout: a name that is never resolved, within the time of connecting', async () => {
    const client = opened('', { resolve: () => new Promise(() => {}), connectTimeoutMs: 50 });
    const failure = await failureOf(client.send(get('http://slow.example/'), waiting));
    expect(failure).toMatchObject({ code: 'http.noAnswer', details: { why: 'timeout' } });
    expect(failure.message).toContain('within 50 ms');
  });

  it('timeout: a redirect that leads on and on, each slowly, in the time of one exchange', async () => {
    const slow: Behaviour = (socket) => setTimeout(() => redirect('/')(socket, ''), 60);
    const api = await served({ '/': slow });
    const client = opened('127.0.0.1', { requestTimeoutMs: 150 });
    expect(await codeOf(client.send(get(`http://127.0.0.1:${api.port}/`), waiting))).toBe('http.noAnswer timeout');
  });
});

test('a text that is no certificate is refused at once, and not shown', () => {
  expect(() => openHttpClient({ allowedHosts: [], clientCertificate: 'secret' })).toThrow(/#clientCertificate/);
  expect(() => openHttpClient({ allowedHosts: [], clientCertificate: 'secret' })).not.toThrow(/secret/);
});
