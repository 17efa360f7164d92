import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCuttingProxy, type CuttingProxy, type Fate } from '../../../test/support/cutting-proxy.ts';
import { makingMs } from '../../../test/support/made-once.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from '../../../test/support/s3.ts';
import type { ObjectContent, ObjectStore } from '../../ports/object-store.ts';
import { openS3Client } from './client.ts';
import { leastPartBytes } from './config.ts';
import { openS3ObjectStore } from './object-store.ts';

const place = await whereIsS3();
const waiting = { signal: new AbortController().signal };
const pass: Fate = { kind: 'pass' };
const lost: Fate = { kind: 'cut', afterBytes: 0 };
const answer = (status: string, code: string): Fate => ({
  kind: 'answer',
  http:
    `HTTP/1.1 ${status}\r\ncontent-type: application/xml\r\nconnection: close\r\n\r\n` +
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>said by the test</Message></Error>`,
});
const slowDown = answer('503 Slow Down', 'SlowDown');
const inMemory = (text: string): ObjectContent => ({ kind: 'bytes', bytes: Buffer.from(text) });

describe.skipIf(place.kind === 'nowhere')('S3 behind a network that loses answers', () => {
  let s3: S3ForTests;
  let proxy: CuttingProxy;
  let folder: string;
  let keyPrefix: string;
  let store: ObjectStore;
  let straight: ObjectStore;

  beforeAll(async () => {
    s3 = await openS3ForTests();
    proxy = await startCuttingProxy(s3.options.endpoint);
    folder = await mkdtemp(join(tmpdir(), 'millrace-parts-'));
  }, makingMs);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    keyPrefix = `unclear/${randomUUID()}`;
    proxy.fateOf = () => pass;
    const options = { ...s3.options, keyPrefix, partBytes: leastPartBytes };
    store = await openS3ObjectStore({ ...options, endpoint: proxy.endpoint });
    straight = await openS3ObjectStore(options);
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await straight[Symbol.asyncDispose]();
  });

  const first = (times: number, which: RegExp, fate: Fate) => {
    let left = times;
    proxy.fateOf = (request) => (which.test(request) && left-- > 0 ? fate : pass);
  };
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of straight.list('', waiting)) found.push(name);
    return found;
  };
  const uploads = async () => {
    const client = await openS3Client(s3.options);
    const list = new ListMultipartUploadsCommand({ Bucket: s3.options.bucket, Prefix: keyPrefix });
    const { Uploads = [] } = await client.send(list);
    client.destroy();
    return Uploads.map(({ Key }) => Key);
  };
  const contentOf = async (name: string) => buffer(await straight.get(name, waiting));
  const fileOf = async (bytes: Uint8Array): Promise<ObjectContent> => {
    const path = join(folder, randomUUID());
    await writeFile(path, bytes);
    return { kind: 'file', path };
  };

  it('D3: a put whose answer is lost, and which the driver repeats, recognises its own object', async () => {
    first(1, /^PUT /, lost);
    expect(await store.put('a', inMemory('mine'), waiting)).toEqual({ name: 'a', bytes: 4 });
    expect(String(await contentOf('a'))).toBe('mine');
    await expect(store.put('a', inMemory('other'), waiting)).rejects.toMatchObject({ code: 'objects.exists' });
  });

  it('D3: a put whose answer never comes is made again within the call, and recognises its own object', async () => {
    let puts = 0;
    proxy.fateOf = (request) => (request.startsWith('PUT ') && ++puts <= 2 ? { kind: 'silence' } : pass);
    const options = { ...s3.options, keyPrefix, endpoint: proxy.endpoint, answerTimeoutMs: 100 };
    await using hasty = await openS3ObjectStore({ ...options, idleTimeoutMs: 24 * 3_600_000 });
    expect(await hasty.put('a', inMemory('mine'), waiting)).toEqual({ name: 'a', bytes: 4 });
    expect(puts).toBeGreaterThanOrEqual(3);
    expect(String(await contentOf('a'))).toBe('mine');
    await expect(hasty.put('a', inMemory('other'), waiting)).rejects.toMatchObject({ code: 'objects.exists' });
  });

  it('D6: a store that answers nothing any more is objects.unavailable as soon as its tries are spent', async () => {
    proxy.fateOf = () => ({ kind: 'silence' });
    const options = { ...s3.options, keyPrefix, endpoint: proxy.endpoint, answerTimeoutMs: 100 };
    await using hasty = await openS3ObjectStore({ ...options, idleTimeoutMs: 400 });
    await expect(hasty.put('a', inMemory('mine'), waiting)).rejects.toMatchObject({ code: 'objects.unavailable' });
    await expect(hasty.get('a', waiting)).rejects.toMatchObject({ code: 'objects.unavailable' });
    expect(await names()).toEqual(['a']);
  });

  it('D3: a put all of whose answers are lost looks up what happened', async () => {
    proxy.fateOf = (request) => (request.startsWith('PUT ') ? lost : pass);
    await store.put('a', inMemory('mine'), waiting);
    await expect(store.put('a', inMemory('other'), waiting)).rejects.toMatchObject({ code: 'objects.exists' });
    expect(String(await contentOf('a'))).toBe('mine');
  });

  it('a put that cannot look up is objects.unavailable, though it may have happened', async () => {
    proxy.fateOf = () => lost;
    await expect(store.put('a', inMemory('mine'), waiting)).rejects.toMatchObject({
      code: 'objects.unavailable',
      retryable: true,
    });
    expect(await names()).toEqual(['a']);
  });

  it('D3: an upload in parts whose last answer is lost is recognised, too', async () => {
    const bytes = randomBytes(12_000_000);
    first(1, /^POST .*uploadId=/, lost);
    await store.put('a', { kind: 'bytes', bytes }, waiting);
    expect((await contentOf('a')).equals(bytes)).toBe(true);
    await expect(store.put('a', { kind: 'bytes', bytes }, waiting)).rejects.toMatchObject({ code: 'objects.exists' });
    expect(await uploads()).toEqual([]);
  });

  it('puts 20 MB in parts from a file and from memory, and no part is left behind', async () => {
    const bytes = randomBytes(20_000_000);
    const parts = new Set<string>();
    proxy.fateOf = (request) => {
      if (request.includes('partNumber=')) parts.add(request);
      return pass;
    };
    const put = { name: 'file', bytes: bytes.length };
    expect(await store.put('file', await fileOf(bytes), waiting)).toEqual(put);
    expect(parts.size).toBe(4);
    await store.put('memory', { kind: 'bytes', bytes }, waiting);
    for (const name of ['file', 'memory']) expect((await contentOf(name)).equals(bytes)).toBe(true);
    expect(await uploads()).toEqual([]);
  });

  it('D8: files that are put at once share the memory that there is for them', async () => {
    const [open, most] = [new Set<string>(), new Set<number>()];
    proxy.fateOf = (request) => {
      const [, key = '', query = ''] = /^POST (.*)\?(.*)$/.exec(request) ?? [];
      if (query.startsWith('uploads')) open.add(key);
      most.add(open.size);
      if (query.startsWith('uploadId')) open.delete(key);
      return pass;
    };
    const options = { ...s3.options, endpoint: proxy.endpoint, keyPrefix, partBytes: leastPartBytes };
    await using bounded = await openS3ObjectStore({ ...options, bufferBytes: 2 * leastPartBytes });
    const content = await fileOf(randomBytes(12_000_000));
    await Promise.all(['a', 'b', 'c'].map((name) => bounded.put(name, content, waiting)));
    expect([...most]).toEqual([1]);
    expect(await names()).toHaveLength(3);
  });

  it('an aborted upload rejects with the reason and leaves neither parts nor an object', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    proxy.fateOf = (request) => {
      if (request.includes('partNumber=3')) stop.abort(reason);
      return pass;
    };
    const put = store.put('a', await fileOf(randomBytes(20_000_000)), { signal: stop.signal });
    await expect(put).rejects.toBe(reason);
    expect(await uploads()).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('an upload one of whose parts is refused leaves no parts behind and sends no further ones', async () => {
    let later = 0;
    proxy.fateOf = (request) => {
      if (/partNumber=[5-9]/.test(request)) later += 1;
      return /partNumber=1(&|$)/.test(request) ? answer('403 Forbidden', 'AccessDenied') : pass;
    };
    const put = store.put('a', { kind: 'bytes', bytes: randomBytes(45_000_000) }, waiting);
    await expect(put).rejects.toMatchObject({ code: 'objects.refused' });
    expect(later).toBeLessThan(5);
    expect(await uploads()).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('waits and tries again when the store asks to slow down, and says so when it goes on', async () => {
    first(1, /^PUT /, slowDown);
    await store.put('a', inMemory('x'), waiting);
    await using hasty = await openS3ObjectStore({ ...s3.options, keyPrefix, endpoint: proxy.endpoint, attempts: 1 });
    proxy.fateOf = () => slowDown;
    const said = expect.stringContaining('SlowDown') as unknown;
    const refused = { code: 'objects.unavailable', retryable: true, message: said };
    await expect(hasty.put('b', inMemory('x'), waiting)).rejects.toMatchObject(refused);
    await expect(hasty.get('a', waiting)).rejects.toMatchObject(refused);
    await expect(hasty.delete('a', waiting)).rejects.toMatchObject(refused);
    expect(await names()).toEqual(['a']);
  });

  it('a stream goes on at the next byte after its connection broke', async () => {
    const bytes = randomBytes(9_000_000);
    await store.put('a', { kind: 'bytes', bytes }, waiting);
    first(2, /^GET /, { kind: 'cut', afterBytes: 2_000_000 });
    expect((await buffer(await store.get('a', waiting))).equals(bytes)).toBe(true);
  });

  it('a stream that never goes on is objects.unavailable', async () => {
    await store.put('a', { kind: 'bytes', bytes: randomBytes(3_000_000) }, waiting);
    first(1, /^GET /, { kind: 'cut', afterBytes: 1_000_000 });
    const stream = await store.get('a', waiting);
    proxy.fateOf = () => lost;
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'objects.unavailable' });
  });
});
