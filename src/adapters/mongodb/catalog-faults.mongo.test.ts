import { inspect } from 'node:util';
import { MongoClient } from 'mongodb';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAnswerProxy } from '../../../test/support/answer-proxy.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { isEmulatorMissing, startMongodb, type StartedMongodb } from '../../../test/support/mongodb.ts';
import { Secret } from '../../config/secrets.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { openMongodbCatalog, type MongodbCatalogOptions } from './catalog.ts';
import { checkMongodbCatalog } from './check-catalog.ts';

const waiting = { signal: new AbortController().signal };
const unavailable = { code: 'catalog.unavailable', retryable: true };

// oxlint-disable-next-line max-params -- short calls
const set = (catalog: Catalog, id: string, expected?: number, n = 1) =>
  catalog.compareAndSet({ collection: 'sink', id, expected, value: { n } }, waiting);
const changesSince = (catalog: Catalog, token: string | undefined, maxWaitMs = 0) =>
  catalog.changes({ collection: 'sink', token, maxWaitMs }, waiting);

describe.skipIf(await isEmulatorMissing())('the catalog on a MongoDB that fails', () => {
  let server: StartedMongodb;
  let direct: MongoClient;

  beforeAll(async () => {
    server = await startMongodb();
    direct = new MongoClient(server.url.reveal(), { retryWrites: false });
  });
  afterAll(async () => {
    await direct.close();
    await server[Symbol.asyncDispose]();
  });

  const pendingIn = async (database: string): Promise<number> => {
    const [counter] = await direct
      .db(database)
      .collection('catalog.counters')
      .find({ last: { $gt: 0 } })
      .toArray();
    return (counter as { pending: readonly unknown[] } | undefined)?.pending.length ?? 0;
  };

  it.each([
    { step: 'its number', text: 'catalog.counters', happened: false },
    { step: 'its document', text: 'catalog.sink\u0000', happened: true },
  ])('a write whose answer about $step was lost is catalog.unavailable, and others clean up after it', async (lost) => {
    const database = `millrace-${v4()}`;
    await using proxy = await startAnswerProxy(server.port);
    await using other = await openMongodbCatalog({ url: server.url, database, pollMs: 20, abandonedMs: 100 }, waiting);
    await using catalog = await openMongodbCatalog(
      { url: new Secret(`mongodb://127.0.0.1:${proxy.port}`), database },
      waiting,
    );
    await set(other, 'a');
    const first = await other.get('sink', 'a', waiting);
    const { token } = await changesSince(other, undefined);
    await eventually(async () => expect(await pendingIn(database)).toBe(0));
    const seen = proxy.loseAnswerTo(lost.text);
    await expect(set(catalog, 'a', first?.revision, 2)).rejects.toMatchObject(unavailable);
    await seen;
    const read = await other.get('sink', 'a', waiting);
    expect(read?.value).toEqual({ n: lost.happened ? 2 : 1 });
    let following = token;
    let told: unknown = first;
    await eventually(async () => {
      const { token: latest, written } = await changesSince(other, following, 50);
      following = latest;
      told = written.at(-1) ?? told;
      expect(await pendingIn(database)).toBe(0);
      expect(told).toEqual(await other.get('sink', 'a', waiting));
    });
    const now = await other.get('sink', 'a', waiting);
    expect(await set(catalog, 'a', now?.revision)).toMatchObject({ kind: 'written' });
  });

  it('answers catalog.unavailable while the server is away and works again without being opened anew', async () => {
    const database = `millrace-${v4()}`;
    await using proxy = await startAnswerProxy(server.port);
    const options = { url: new Secret(`mongodb://127.0.0.1:${proxy.port}`), database, connectTimeoutMs: 300 };
    await using catalog = await openMongodbCatalog(options, waiting);
    await set(catalog, 'a');
    const { token } = await changesSince(catalog, undefined);
    const change = changesSince(catalog, token, 60_000);
    proxy.cut();
    await expect(change).rejects.toMatchObject(unavailable);
    await expect(catalog.get('sink', 'a', waiting)).rejects.toMatchObject(unavailable);
    await expect(set(catalog, 'b')).rejects.toMatchObject(unavailable);
    await expect(openMongodbCatalog(options, waiting)).rejects.toMatchObject(unavailable);
    proxy.restore();
    expect(await eventually(() => set(catalog, 'b'))).toMatchObject({ kind: 'written' });
    const ids = (await changesSince(catalog, token)).written.map(({ id }) => id);
    expect(ids).toContain('b');
  });

  it('a refused password is catalog.unavailable and in no message', async () => {
    const url = new Secret(`mongodb://millrace:hush-hush@127.0.0.1:${server.port}`);
    const error: unknown = await openMongodbCatalog({ url }, waiting).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(unavailable);
    expect(inspect(error, { depth: 20 })).not.toContain('hush-hush');
  });

  it.each([
    'postgres://millrace:hush-hush@localhost',
    'mongodb://millrace:hush-hush@localhost:port',
    'mongodb://millrace:hush-hush@localhost/?tls=true&tlsInsecure=true',
    'mongodb://millrace:hush-hush@localhost/?readPreference=secondary',
    'mongodb://millrace:hush-hush@localhost/?w=1',
    'mongodb://millrace:hush-hush@localhost/?journal=false',
    'mongodb://millrace:hush-hush@localhost/?readConcernLevel=local',
  ])('refuses a URL that cannot be used or that checks less: %s', async (text) => {
    const error: unknown = await openMongodbCatalog({ url: new Secret(text) }, waiting).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'config.invalid' });
    expect(inspect(error, { depth: 20 })).not.toContain('hush-hush');
  });

  it('D8: keeps a bounded number of removals and gives an older token the whole collection', async () => {
    const database = `millrace-${v4()}`;
    await using catalog = await openMongodbCatalog({ url: server.url, database, keptRemovals: 5 }, waiting);
    const { token: first } = await changesSince(catalog, undefined);
    const makeAndRemove = async (id: string): Promise<void> => {
      const result = await set(catalog, id);
      if (result.kind === 'written') await catalog.remove('sink', id, result.revision, waiting);
    };
    for (let n = 0; n < 30; n += 1) await makeAndRemove(`${n}`);
    const records = direct.db(database).collection('catalog.sink');
    await eventually(async () => {
      // Who removes sees that there are too many, unless some are being forgotten just then.
      await makeAndRemove('one more');
      expect(await records.countDocuments({})).toBeLessThan(12);
    });
    expect(await changesSince(catalog, first)).toMatchObject({ complete: true, written: [] });
    const { token } = await changesSince(catalog, undefined);
    await makeAndRemove('last');
    expect(await changesSince(catalog, token)).toMatchObject({ complete: false, removed: ['last'] });
  });

  it('gives the database of an older version the collections that it lacks', async () => {
    const options = { url: server.url, database: `millrace-${v4()}` };
    await using older = await openMongodbCatalog(options, waiting);
    await set(older, 'a');
    const db = direct.db(options.database);
    await db.collection<{ _id: string }>('catalog.counters').deleteOne({ _id: 'audit' });
    await db.collection('catalog.audit').drop();
    await using catalog = await openMongodbCatalog(options, waiting);
    const write = { collection: 'audit', id: 'b', expected: undefined, value: {} } as const;
    expect(await catalog.compareAndSet(write, waiting)).toMatchObject({ kind: 'written' });
    expect(await catalog.get('sink', 'a', waiting)).toBeDefined();
  });

  it('one that must exist is found, or refused and not made', async () => {
    const options = { url: server.url, database: `millrace-${v4()}` };
    const there = async (): Promise<unknown> => {
      await using catalog = await openMongodbCatalog({ ...options, mustExist: true }, waiting);
      return await catalog.get('sink', 'a', waiting);
    };
    const missing = { code: 'config.invalid', message: expect.stringContaining('no catalog in database') as unknown };
    await expect(there()).rejects.toMatchObject(missing);
    expect(await direct.db(options.database).listCollections().toArray()).toEqual([]);
    await using catalog = await openMongodbCatalog(options, waiting);
    await set(catalog, 'a');
    expect(await there()).toEqual(await catalog.get('sink', 'a', waiting));
    const layouts = direct.db(options.database).collection('catalog.layout');
    await layouts.updateOne({}, { $set: { version: 99 } });
    await expect(there()).rejects.toMatchObject({ code: 'data.newerFormat' });
  });

  it('refuses the database of a newer version', async () => {
    const database = `millrace-${v4()}`;
    await using _catalog = await openMongodbCatalog({ url: server.url, database }, waiting);
    await direct
      .db(database)
      .collection('catalog.layout')
      .updateOne({}, { $set: { version: 99 } });
    await expect(openMongodbCatalog({ url: server.url, database }, waiting)).rejects.toMatchObject({
      code: 'data.newerFormat',
    });
    expect(await checkMongodbCatalog({ url: server.url, database }, { ...waiting, now: Date.now() })).toContainEqual({
      kind: 'bad',
      about: 'format',
      text: `the catalog in database "${database}" has layout 99, this version of the product knows 1`,
    });
  });

  it('says in plain words what a server lacks', async () => {
    const check = (options: MongodbCatalogOptions, now = Date.now()) =>
      checkMongodbCatalog(options, { ...waiting, now });
    const lacks = async (options: MongodbCatalogOptions, now?: number) =>
      (await check(options, now)).filter(({ kind }) => kind !== 'good');
    expect(await lacks({ url: server.url })).toMatchObject([
      { kind: 'bad', about: 'durability', text: expect.stringMatching(/is no member of a replica set/) as string },
    ]);
    expect((await lacks({ url: server.url }, Date.now() - 60_000)).at(-1)).toMatchObject({
      kind: 'advice',
      about: 'clock',
    });
    expect(await check({ url: new Secret('mongodb://127.0.0.1:1'), connectTimeoutMs: 100 })).toMatchObject([
      { kind: 'bad', about: 'connection', text: expect.stringMatching(/^MongoDB: .*ECONNREFUSED/) as string },
    ]);
  });
});
