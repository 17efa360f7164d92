import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
  type ZlibOptions,
} from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answering, endless, hostileApi, type Behaviour, type HostileApi } from '../../../test/support/hostile-api.ts';
import { parseHostRule } from '../../core/host-rule.ts';
import type { HttpAnswer, HttpClient } from '../../ports/http-client.ts';
import type { HttpClientOptions } from './config.ts';
import { openHttpClient } from './http-client.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const allowedHosts = ['127.0.0.1', 'localhost'].map(parseHostRule).filter((rule) => rule !== undefined);

function opened(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = openHttpClient({ allowedHosts, ...options });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

async function served(behaviour: Behaviour, tls?: TlsOptions): Promise<HostileApi> {
  const api = await hostileApi({ '/': behaviour }, tls === undefined ? {} : { tls });
  onTestFinished(() => api[Symbol.asyncDispose]());
  return api;
}

/** What it does with a connection, before any request. */
async function servedRaw(onConnection: (socket: Socket) => void): Promise<HostileApi> {
  const api = await hostileApi({}, { onConnection });
  onTestFinished(() => api[Symbol.asyncDispose]());
  return api;
}

function ask(client: HttpClient, url: string): Promise<HttpAnswer> {
  return client.send({ method: 'GET', url, headers: {} }, { signal: new AbortController().signal });
}

/** What it may hold is one body of the limit, twice while it is put together, and what is on the way. */
const flat = 48 * megabyte;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap and of buffers; what nobody holds counts only while that is not too much. */
function heldBytes(atMost: number): number {
  const measure = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  if (measure() <= atMost) return measure();
  collectGarbage();
  return measure();
}

/** The failure, and how much the process had grown at most meanwhile. */
async function failing(behaviour: Behaviour, options: Partial<HttpClientOptions>) {
  const api = await served(behaviour);
  const client = opened(options);
  const before = heldBytes(Number.POSITIVE_INFINITY);
  let grown = 0;
  const watch = setInterval(() => {
    grown = Math.max(grown, heldBytes(before + flat) - before);
  }, 5);
  const failure = await ask(client, `http://127.0.0.1:${api.port}/`).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  clearInterval(watch);
  return { failure, grown, api };
}

const small = { limits: { wireBytes: 8 * megabyte, bodyBytes: 8 * megabyte } };
const tooLarge = { code: 'http.tooLarge' };
const late = { code: 'http.noAnswer', details: { why: 'timeout' } };

describe('a body without an end', () => {
  it.each<[string, Behaviour]>([
    ['until the connection closes', endless('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(64 * kilobyte, 'a'))],
    [
      'in chunks',
      endless(
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
        Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(64 * kilobyte, 'a'), Buffer.from('\r\n')]),
      ),
    ],
  ])('%s ends at its limit, with its connection', async (_, behaviour) => {
    const { failure, grown, api } = await failing(behaviour, small);
    expect(failure).toMatchObject(tooLarge);
    await expect.poll(() => api.open).toBe(0);
    expect(grown).toBeLessThan(flat);
  });

  it('of which it says the length is not read at all', async () => {
    const api = await served((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n'));
    await expect(ask(opened(small), `http://127.0.0.1:${api.port}/`)).rejects.toMatchObject(tooLarge);
  });
});

describe('a slow answer ends with the time of the request', () => {
  it.each<[string, string, string]>([
    ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x'],
    ['a head', 'HTTP/1.1 200 OK\r\nx-a: ', 'x'],
    ['headers that come one by one', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
    ['answers that only announce another', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
    ['the extension of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'],
    ['trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n'],
  ])('%s in drips', async (_, head, drip) => {
    const { failure, api } = await failing(
      (socket) => {
        socket.write(head);
        const dripping = setInterval(() => socket.write(drip), 10);
        socket.on('close', () => clearInterval(dripping));
      },
      { requestTimeoutMs: 150 },
    );
    expect(failure).toMatchObject(late);
    await expect.poll(() => api.open).toBe(0);
  });

  it('silence', async () => {
    const { failure } = await failing(() => {}, { requestTimeoutMs: 100 });
    expect(failure).toMatchObject(late);
  });

  it('an endless extension of a chunk takes no memory', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;';
    const { failure, grown } = await failing(endless(head, Buffer.alloc(64 * kilobyte, 'a')), {
      requestTimeoutMs: 300,
    });
    expect(failure).toMatchObject(late);
    expect(grown).toBeLessThan(flat);
  });
});

describe('headers', () => {
  const begun = 'HTTP/1.1 200 OK\r\n';

  it('a million of them end at their limit', async () => {
    const { failure, grown } = await failing(endless(begun, Buffer.from('a: b\r\n'.repeat(10_000))), {});
    expect(failure).toMatchObject(tooLarge);
    expect(grown).toBeLessThan(flat);
  });

  it('one that does not end, too', async () => {
    const { failure } = await failing(endless(`${begun}a: `, Buffer.alloc(64 * kilobyte, 'a')), {});
    expect(failure).toMatchObject(tooLarge);
  });

  it('many small ones are counted', async () => {
    const head = `${begun}${'a: b\r\n'.repeat(501)}content-length: 0\r\n\r\n`;
    const { failure } = await failing((socket) => socket.write(head), {});
    expect(failure).toMatchObject(tooLarge);
  });

  it('trailers without an end take no memory', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n';
    const { failure, grown } = await failing(endless(head, Buffer.from('a: b\r\n'.repeat(10_000))), {
      requestTimeoutMs: 1000,
    });
    expect(failure).toMatchObject({ name: 'MillraceError' });
    expect(grown).toBeLessThan(flat);
  });
});

describe('a body with a coding', () => {
  const body = Buffer.from(JSON.stringify({ items: Array.from({ length: 1000 }, (_, id) => ({ id })) }));

  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['deflate, gzip', gzipSync(deflateSync(body))],
    ['identity', body],
  ])('%s comes without it', async (coding, coded) => {
    const api = await served(answering(coded, `content-encoding: ${coding}\r\n`));
    const answer = await ask(opened(), `http://127.0.0.1:${api.port}/`);
    expect(Buffer.from(answer.body).equals(body)).toBe(true);
    expect(api.heads[0]).toContain('accept-encoding: gzip, deflate, br, zstd');
  });

  it('that is empty has none', async () => {
    const api = await served(answering('', 'content-encoding: gzip\r\n'));
    expect((await ask(opened(), `http://127.0.0.1:${api.port}/`)).body).toHaveLength(0);
  });

  it.each([
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['deflate', deflateSync(body)],
  ])('%s that is cut off is broken', async (coding, coded) => {
    const api = await served(answering(coded.subarray(0, -20), `content-encoding: ${coding}\r\n`));
    await expect(ask(opened(), `http://127.0.0.1:${api.port}/`)).rejects.toMatchObject({ details: { why: 'broken' } });
  });

  it('is broken where the connection is', async () => {
    const coded = gzipSync(body);
    const api = await served((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${coded.length}\r\n\r\n`);
      socket.end(coded.subarray(0, 100));
    });
    await expect(ask(opened(), `http://127.0.0.1:${api.port}/`)).rejects.toMatchObject({ details: { why: 'broken' } });
  });
});

describe('a bomb ends at the limit of what it becomes, and takes no memory', () => {
  const nothing = Buffer.alloc(64 * megabyte);

  async function gzipOf(megabytes: number, options: ZlibOptions = { level: 9 }): Promise<Buffer> {
    const zeros = Buffer.alloc(megabyte);
    const pieces = Array.from({ length: megabytes }, () => zeros);
    return buffer(Readable.from(pieces).pipe(createGzip(options)));
  }

  it.each([
    ['gzip', () => gzipOf(256)],
    ['deflate', () => deflateSync(nothing)],
    ['br', () => brotliCompressSync(nothing)],
    ['zstd', () => zstdCompressSync(nothing)],
    ['gzip, gzip', async () => gzipSync(await gzipOf(256))],
    ['zstd, br', async () => brotliCompressSync(zstdCompressSync(nothing))],
  ])('%s', async (coding, make) => {
    const bomb = await make();
    const { failure, grown } = await failing(answering(bomb, `content-encoding: ${coding}\r\n`), small);
    expect(failure).toMatchObject(tooLarge);
    expect(grown).toBeLessThan(flat);
  });

  it('a window of zstd that takes too much is refused', async () => {
    // The frame of RFC 8878: magic, no single segment, a window of 1 GiB, one raw block that is the last, of 1 byte.
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (30 - 10) << 3, 0x09, 0x00, 0x00, 0x61]);
    const { failure } = await failing(answering(frame, 'content-encoding: zstd\r\n'), small);
    expect(failure).toMatchObject({ details: { why: 'broken' } });
  });
});

describe('TLS', () => {
  let made: { readonly [name in 'cert' | 'key' | 'clientCert' | 'clientKey']: string } | undefined;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-tls-'));
    const pair = async (name: string) => {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
      const request = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ];
      const named = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
      await promisify(execFile)('openssl', [...request, ...named, '-keyout', key, '-out', cert]);
      return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
    };
    const pairs = await Promise.all([pair('server'), pair('client')]).catch(() => undefined);
    await rm(folder, { recursive: true });
    if (pairs === undefined) return;
    const [server, client] = pairs;
    made = { ...server, clientCert: client.cert, clientKey: client.key };
  });

  function certificates(skip: (note: string) => never): NonNullable<typeof made> {
    return made ?? skip('there is no openssl to make certificates with');
  }

  it('a certificate that nobody vouches for, or of another host, is untrusted; with its authority it is trusted', async ({
    skip,
  }) => {
    const { cert, key } = certificates(skip);
    const api = await served(answering('x'), { cert, key });
    const untrusted = { code: 'http.noAnswer', details: { why: 'untrusted' } };
    await expect(ask(opened(), `https://localhost:${api.port}/`)).rejects.toMatchObject(untrusted);
    const trusting = opened({ authorities: cert });
    expect((await ask(trusting, `https://localhost:${api.port}/`)).status).toBe(200);
    await expect(ask(trusting, `https://127.0.0.1:${api.port}/`)).rejects.toMatchObject(untrusted);
  });

  it('a client certificate is shown to the server that asks for it', async ({ skip }) => {
    const { cert, key, clientCert, clientKey } = certificates(skip);
    const api = await served(answering('x'), {
      cert,
      key,
      ca: clientCert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const known = opened({ authorities: cert, clientCertificate: `${clientCert}\n${clientKey}` });
    expect((await ask(known, `https://localhost:${api.port}/`)).status).toBe(200);
    const unknown = ask(opened({ authorities: cert }), `https://localhost:${api.port}/`);
    // With TLS 1.3 the refusal comes when the connection is there already.
    await expect(unknown).rejects.toMatchObject({ code: 'http.noAnswer' });
    expect(api.heads).toHaveLength(1);
  });

  it('what does not speak TLS, and what hangs up in its middle, is a failure of TLS', async () => {
    const plain = await servedRaw((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const failure = { code: 'http.noAnswer', details: { why: 'tls' } };
    await expect(ask(opened(), `https://127.0.0.1:${plain.port}/`)).rejects.toMatchObject(failure);
    const closing = await servedRaw((socket) => socket.once('data', () => socket.end()));
    await expect(ask(opened(), `https://127.0.0.1:${closing.port}/`)).rejects.toMatchObject(failure);
  });

  it('a handshake that never ends is a timeout', async () => {
    const silent = await served(answering('x'));
    const sending = ask(opened({ connectTimeoutMs: 100 }), `https://127.0.0.1:${silent.port}/`);
    await expect(sending).rejects.toMatchObject({ code: 'http.noAnswer', details: { why: 'timeout' } });
    await expect.poll(() => silent.open).toBe(0);
  });
});
