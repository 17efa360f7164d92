import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastingPort } from '../../../test/support/free-port.ts';
import { makingMs } from '../../../test/support/made-once.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from '../../../test/support/s3.ts';
import { Secret } from '../../config/secrets.ts';
import type { ObjectContent, ObjectStore, StoredObject } from '../../ports/object-store.ts';
import { checkBucket } from './check-bucket.ts';
import { openS3ObjectStore } from './object-store.ts';

const place = await whereIsS3();
const waiting = { signal: new AbortController().signal };
const content: ObjectContent = { kind: 'bytes', bytes: Buffer.from('x') };

const calls: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
  put: (store) => store.put('a', content, waiting),
  get: (store) => store.get('a', waiting),
  localPath: (store) => store.localPath('a', waiting),
  delete: (store) => store.delete('a', waiting),
  list: (store) => listOf(store),
};

async function listOf(store: ObjectStore): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of store.list('', waiting)) found.push(object);
  return found;
}

describe.skipIf(place.kind === 'nowhere')('S3 that refuses', () => {
  let s3: S3ForTests;
  let folder: string;
  beforeAll(async () => {
    s3 = await openS3ForTests();
    folder = await mkdtemp(join(tmpdir(), 'millrace-ca-'));
  }, makingMs);
  afterAll(async () => {
    await s3[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(calls))('a missing bucket is objects.refused, never a missing object: %s', async (name) => {
    const bucket = `missing-${randomUUID()}`;
    await using store = await openS3ObjectStore({ ...s3.options, bucket });
    const refused = { code: 'objects.refused', retryable: false, message: expect.stringContaining(bucket) as unknown };
    await expect(calls[name]?.(store)).rejects.toMatchObject(refused);
  });

  it.each(['put', 'get', 'delete', 'list'])(
    'wrong credentials are objects.refused and stay secret: %s',
    async (name) => {
      const { accessKeyId } = s3.options.credentials ?? { accessKeyId: '' };
      const wrong = [
        [{ accessKeyId, secretAccessKey: new Secret('wrong-secret') }, /SignatureDoesNotMatch.*secret access key/],
        [{ accessKeyId: 'nobody', secretAccessKey: new Secret('wrong-secret') }, /correct the access key id/],
      ] as const;
      for (const [credentials, message] of wrong) {
        await using store = await openS3ObjectStore({ ...s3.options, credentials });
        const failure: unknown = await calls[name]?.(store).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 'objects.refused', message: expect.stringMatching(message) as unknown });
        expect(inspect(failure, { depth: 10 })).not.toContain('wrong-secret');
      }
    },
  );

  // Some servers take any region.
  it.skipIf(place.kind === 'given')('a wrong region is objects.refused and says what to correct', async () => {
    await using store = await openS3ObjectStore({ ...s3.options, region: 'mars-north-1' });
    await expect(store.put('a', content, waiting)).rejects.toMatchObject({
      code: 'objects.refused',
      message: expect.stringContaining('correct the region') as unknown,
    });
  });

  it.each(Object.keys(calls))('an endpoint that nobody listens at is objects.unavailable: %s', async (name) => {
    const endpoint = `http://127.0.0.1:${await lastingPort()}`;
    await using store = await openS3ObjectStore({ ...s3.options, endpoint });
    await expect(calls[name]?.(store)).rejects.toMatchObject({
      code: 'objects.unavailable',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED') as unknown,
    });
  });

  it('a server that takes requests and never answers is objects.unavailable; an abort does not wait for it', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await using store = await openS3ObjectStore({ ...s3.options, endpoint, idleTimeoutMs: 200, attempts: 1 });
      await expect(store.get('a', waiting)).rejects.toMatchObject({ code: 'objects.unavailable', retryable: true });
      await using patient = await openS3ObjectStore({ ...s3.options, endpoint });
      const stop = new AbortController();
      const put = patient.put('a', content, { signal: stop.signal });
      const reason = new Error('stopped');
      server.once('connection', () => stop.abort(reason));
      await expect(put).rejects.toBe(reason);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  it('a name inside of another object is its own object, or objects.exists where folders are names', async () => {
    await using store = await openS3ObjectStore({ ...s3.options, keyPrefix: `nested/${randomUUID()}` });
    await store.put('a', content, waiting);
    const answer: unknown = await store.put('a/b', content, waiting).catch((error: unknown) => error);
    const either = [expect.objectContaining({ code: 'objects.exists' }), { name: 'a/b', bytes: 1 }];
    expect(either).toContainEqual(answer);
  });

  it('sees nothing of what lies under another key prefix', async () => {
    const keyPrefix = `shared/${randomUUID()}`;
    await using store = await openS3ObjectStore({ ...s3.options, keyPrefix });
    await using other = await openS3ObjectStore({ ...s3.options, keyPrefix: `${keyPrefix}-2` });
    await other.put('a', content, waiting);
    expect(await listOf(store)).toEqual([]);
    await store.put('a', content, waiting);
    await store.delete('a', waiting);
    expect(await listOf(other)).toEqual([{ name: 'a', bytes: 1 }]);
  });

  it('trusts the authorities of the CA file, and none that it does not know', async ({ skip }) => {
    const [key, caFile] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      ...name,
    ];
    const openssl = promisify(execFile)('openssl', [...made, '-keyout', key, '-out', caFile]);
    if ((await openssl.catch(() => undefined)) === undefined) skip('there is no openssl to make a certificate with');
    const target = new URL(s3.options.endpoint);
    const server = createTlsServer({ key: await readFile(key), cert: await readFile(caFile) }, (client) => {
      const upstream = connect(Number(target.port), target.hostname);
      client.on('error', () => {}).pipe(upstream);
      upstream.on('error', () => {}).pipe(client);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { ...s3.options, endpoint, keyPrefix: `tls/${randomUUID()}` };
    try {
      await using store = await openS3ObjectStore({ ...options, caFile });
      await store.put('a', { kind: 'bytes', bytes: Buffer.alloc(9_000_000, 'x') }, waiting);
      expect(await text(await store.get('a', waiting))).toHaveLength(9_000_000);
      await using distrusting = await openS3ObjectStore(options);
      await expect(distrusting.put('b', content, waiting)).rejects.toMatchObject({
        code: 'objects.refused',
        message: expect.stringContaining('the certificate is not trusted') as unknown,
      });
    } finally {
      server.close();
    }
  });

  it('D9: says which option cannot be right', async () => {
    const open = (options: object) => openS3ObjectStore({ ...s3.options, ...options });
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ keyPrefix: '/a' }, /invalid key prefix "\/a" of the staging store: expected parts of letters/],
      [{ keyPrefix: 'a//b' }, /invalid key prefix/],
      [{ keyPrefix: '../a' }, /invalid key prefix/],
      [{ keyPrefix: 'x'.repeat(513) }, /at most 512 characters/],
      [{ bucket: 'a/b' }, /invalid bucket "a\/b" of the staging store: expected at least 3 letters/],
      [{ endpoint: 'localhost:9000' }, /invalid endpoint "localhost:9000".*http:\/\/ or https:\/\//],
      [{ partBytes: 1000 }, /invalid part size "1000".*at least 5242880/],
      [{ caFile: '/none.pem' }, /cannot read the CA file "\/none.pem" of the bucket/],
    ];
    for (const [options, message] of wrong) {
      const refused = { code: 'config.invalid', message: expect.stringMatching(message) as unknown };
      await expect(open(options)).rejects.toMatchObject(refused);
    }
    await using _store = await open({ keyPrefix: 'a_b/c.d/' });
  });

  describe('checkBucket', () => {
    const check = (options: object = {}) =>
      checkBucket({ ...s3.options, keyPrefix: 'check', ...options }, { ...waiting, now: Date.now() });

    it('finds nothing wrong with a bucket that has all that staging needs, and leaves nothing in it', async () => {
      const findings = await check();
      expect(findings.filter(({ kind }) => kind !== 'good')).toEqual([]);
      expect(findings.map(({ about }) => about)).toEqual(
        'list write conditionalPut conditionalParts metadata delete leftovers clock'.split(' '),
      );
      await using store = await openS3ObjectStore({ ...s3.options, keyPrefix: 'check' });
      expect(await listOf(store)).toEqual([]);
    });

    it('says in a sentence that the bucket is missing, the credentials are wrong or nobody answers', async () => {
      const bucket = `missing-${randomUUID()}`;
      const credentials = { accessKeyId: 'nobody', secretAccessKey: new Secret('x') };
      const endpoint = `http://127.0.0.1:${await lastingPort()}`;
      expect(await check({ bucket })).toMatchObject([
        { kind: 'bad', about: 'list', text: expect.stringMatching(/NoSuchBucket.*create the bucket.*\.$/) as unknown },
      ]);
      expect(await check({ credentials })).toMatchObject([
        { kind: 'bad', about: 'list', text: expect.stringMatching(/correct the access key id\.$/) as unknown },
      ]);
      expect(await check({ endpoint })).toMatchObject([
        { kind: 'bad', about: 'list', text: expect.stringMatching(/ECONNREFUSED/) as unknown },
      ]);
    });
  });
});
