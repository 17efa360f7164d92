import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAnswerProxy } from '../../../test/support/answer-proxy.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  execute,
  isPostgresToKillMissing,
  startPostgres,
  type StartedPostgres,
} from '../../../test/support/postgres.ts';
import { Secret } from '../../config/secrets.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { openPostgresCatalog, type PostgresCatalogOptions } from './catalog.ts';
import { checkPostgresCatalog } from './check-catalog.ts';
import { PostgresClient } from './client.ts';

const run = promisify(execFile);
const waiting = { signal: new AbortController().signal };
const unavailable = { code: 'catalog.unavailable', retryable: true };

const changed = (url: Secret, change: (url: URL) => void): Secret => {
  const parsed = new URL(url.reveal());
  change(parsed);
  return new Secret(parsed.href);
};
const set = (catalog: Catalog, id: string, expected?: number) =>
  catalog.compareAndSet({ collection: 'sink', id, expected, value: { id } }, waiting);

describe.skipIf(await isPostgresToKillMissing())('the catalog on a PostgreSQL that fails', () => {
  let server: StartedPostgres;
  let url: Secret;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('D2: nothing that was acknowledged is lost when the server is killed in the middle of writes', async () => {
    await using catalog = await openPostgresCatalog({ url, schema: 'killed' }, waiting);
    const acknowledged = new Map<string, number>();
    const over = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const id = `${writer}/${n}`;
        const result = await set(catalog, id).catch(() => undefined);
        if (result?.kind === 'written') acknowledged.set(id, result.revision);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(write));
    for (const atLeast of [100, 200, 300]) {
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(atLeast));
      await server.kill();
      await server.start();
    }
    over.abort();
    await writing;
    const { written } = await eventually(() =>
      catalog.changes({ collection: 'sink', token: undefined, maxWaitMs: 0 }, waiting),
    );
    const found = new Map(written.map(({ id, revision }) => [id, revision]));
    for (const [id, revision] of acknowledged) expect(found.get(id)).toBe(revision);
    expect(new Set(found.values()).size).toBe(found.size);
  });

  it('answers catalog.unavailable while the server is away and works again without being opened anew', async () => {
    await using catalog = await openPostgresCatalog({ url, schema: 'away' }, waiting);
    await set(catalog, 'a');
    const { token } = await catalog.changes({ collection: 'sink', token: undefined, maxWaitMs: 0 }, waiting);
    const change = catalog.changes({ collection: 'sink', token, maxWaitMs: 60_000 }, waiting);
    const [failed] = await Promise.allSettled([change, server.stop()]);
    expect(failed).toMatchObject({ status: 'rejected', reason: unavailable });
    await expect(catalog.get('sink', 'a', waiting)).rejects.toMatchObject(unavailable);
    await expect(set(catalog, 'b')).rejects.toMatchObject(unavailable);
    await expect(openPostgresCatalog({ url, schema: 'away' }, waiting)).rejects.toMatchObject(unavailable);
    await server.start();
    expect(await set(catalog, 'b')).toMatchObject({ kind: 'written' });
    const changes = await catalog.changes({ collection: 'sink', token, maxWaitMs: 0 }, waiting);
    expect(changes.written.map(({ id }) => id)).toEqual(['b']);
  });

  it('says catalog.unavailable for a write whose answer was lost, which may have happened', async () => {
    await using proxy = await startAnswerProxy(server.port);
    const proxied = changed(url, (parsed) => {
      parsed.port = String(proxy.port);
    });
    await using catalog = await openPostgresCatalog({ url: proxied, schema: 'lost' }, waiting);
    const lost = proxy.loseAnswerTo('millrace-catalog-write');
    await expect(set(catalog, 'a')).rejects.toMatchObject(unavailable);
    await lost;
    expect(await eventually(() => catalog.get('sink', 'a', waiting))).toMatchObject({ id: 'a', value: { id: 'a' } });
    expect(await set(catalog, 'a')).toEqual({ kind: 'conflict' });
  });

  it('an aborted call ends at once, its statement soon after, and the next call works', async () => {
    await using catalog = await openPostgresCatalog({ url, schema: 'aborted' }, waiting);
    await execute(url, 'CREATE FUNCTION aborted.blocked() RETURNS void LANGUAGE sql AS $$ SELECT pg_sleep(600) $$');
    await execute(url, 'ALTER TABLE aborted.document RENAME TO kept');
    await execute(
      url,
      'CREATE VIEW aborted.document AS SELECT k.* FROM (SELECT aborted.blocked()) b, LATERAL (SELECT * FROM aborted.kept) k',
    );
    const stop = new AbortController();
    const reason = new Error('stopped');
    const reading = catalog.get('sink', 'a', { signal: stop.signal });
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    await eventually(async () => expect(await execute(url, sleeping)).toHaveLength(1));
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await eventually(async () => expect(await execute(url, sleeping)).toHaveLength(0));
    await execute(url, 'DROP VIEW aborted.document');
    await execute(url, 'ALTER TABLE aborted.kept RENAME TO document');
    expect(await catalog.get('sink', 'a', waiting)).toBeUndefined();
  });

  it('a wrong password is catalog.unavailable and in no message, and once it is right the same catalog works', async () => {
    await execute(url, `CREATE ROLE shy LOGIN PASSWORD 'hush-hush'; CREATE SCHEMA shy AUTHORIZATION shy`);
    const own = changed(url, (parsed) => {
      parsed.username = 'shy';
      parsed.password = 'hush-hush';
    });
    await using catalog = await openPostgresCatalog({ url: own, schema: 'shy' }, waiting);
    await execute(url, `ALTER ROLE shy PASSWORD 'another'`);
    await execute(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shy'`);
    const error: unknown = await eventually(async () => {
      const thrown: unknown = await set(catalog, 'a').catch((thrown: unknown) => thrown);
      expect(thrown).toMatchObject({ ...unavailable, details: { sqlState: '28P01' } });
      return thrown;
    });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('hush-hush');
    await execute(url, `ALTER ROLE shy PASSWORD 'hush-hush'`);
    expect(await eventually(() => set(catalog, 'b'))).toMatchObject({ kind: 'written' });
  });

  it('refuses the schema of a newer version and one in a database that is not UTF-8', async () => {
    await using catalog = await openPostgresCatalog({ url, schema: 'newer' }, waiting);
    await set(catalog, 'a');
    await execute(url, 'UPDATE newer.layout SET version = 99');
    await expect(openPostgresCatalog({ url, schema: 'newer' }, waiting)).rejects.toMatchObject({
      code: 'data.newerFormat',
    });
    const options = { url, schema: 'newer' };
    expect(await checkPostgresCatalog(options, { ...waiting, now: Date.now() })).toContainEqual({
      kind: 'bad',
      about: 'format',
      text: 'the catalog in schema "newer" has layout 99, this version of the product knows 1',
    });
    await execute(url, `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const latin = changed(url, (parsed) => {
      parsed.pathname = '/latin';
    });
    await expect(openPostgresCatalog({ url: latin }, waiting)).rejects.toMatchObject({ code: 'config.invalid' });
  });

  it('one that must exist is found, or refused and not made', async () => {
    const there = async (schema: string): Promise<unknown> =>
      openPostgresCatalog({ url, schema, mustExist: true }, waiting).then(async (catalog) => {
        const found = await catalog.get('sink', 'a', waiting);
        await catalog[Symbol.asyncDispose]();
        return found?.value;
      });
    const missing = {
      code: 'config.invalid',
      message: expect.stringContaining('no catalog in schema "absent"') as unknown,
    };
    await expect(there('absent')).rejects.toMatchObject(missing);
    await expect(there('absent')).rejects.toMatchObject(missing);
    await using catalog = await openPostgresCatalog({ url, schema: 'present' }, waiting);
    await set(catalog, 'a');
    expect(await there('present')).toEqual((await catalog.get('sink', 'a', waiting))?.value);
    await execute(url, 'UPDATE present.layout SET version = 99');
    await expect(there('present')).rejects.toMatchObject({ code: 'data.newerFormat' });
  });

  it('gives the schema of an older version the collections that it lacks', async () => {
    const options = { url, schema: 'older' };
    await using older = await openPostgresCatalog(options, waiting);
    await set(older, 'a');
    await execute(url, `DELETE FROM older.counter WHERE collection = 'audit'`);
    await using catalog = await openPostgresCatalog(options, waiting);
    const write = { collection: 'audit', id: 'b', expected: undefined, value: {} } as const;
    expect(await catalog.compareAndSet(write, waiting)).toMatchObject({ kind: 'written' });
    expect(await catalog.get('sink', 'a', waiting)).toBeDefined();
  });

  it('many processes that start at the same time make the schema once', async () => {
    const opening = Array.from({ length: 8 }, () => openPostgresCatalog({ url, schema: 'together' }, waiting));
    const catalogs = await Promise.all(opening);
    await set(catalogs[0]!, 'a');
    for (const catalog of catalogs) {
      expect(await catalog.get('sink', 'a', waiting)).toBeDefined();
      await catalog[Symbol.asyncDispose]();
    }
  });

  it('D8: keeps a bounded number of removals and gives an older token the whole collection', async () => {
    await using catalog = await openPostgresCatalog({ url, schema: 'bounded', keptRemovals: 5 }, waiting);
    const changes = (token: string | undefined) =>
      catalog.changes({ collection: 'sink', token, maxWaitMs: 0 }, waiting);
    const { token: first } = await changes(undefined);
    let latest = '';
    for (let n = 0; n < 23; n += 1) {
      const result = await set(catalog, 'a');
      if (n === 20) latest = (await changes(undefined)).token;
      if (result.kind === 'written') await catalog.remove('sink', 'a', result.revision, waiting);
    }
    const [{ count }] = (await execute(url, 'SELECT count(*)::int AS count FROM bounded.removal')) as [
      { count: number },
    ];
    expect(count).toBeGreaterThanOrEqual(5);
    expect(count).toBeLessThan(10);
    expect(await changes(first)).toMatchObject({ complete: true, written: [] });
    expect(await changes(latest)).toMatchObject({ complete: false, removed: ['a'] });
  });

  it('raises synchronous_commit to on, whatever the server is configured for', async () => {
    await execute(server.url, `ALTER DATABASE postgres SET synchronous_commit = off`);
    await using catalog = await openPostgresCatalog({ url: server.url, schema: 'durable' }, waiting);
    await execute(
      server.url,
      `CREATE FUNCTION durable.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF current_setting('synchronous_commit') <> 'on' THEN RAISE 'not durable'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON durable.document FOR EACH ROW EXECUTE FUNCTION durable.refuse()`,
    );
    expect(await set(catalog, 'a')).toMatchObject({ kind: 'written' });
  });

  it('has no statement compiled, whatever the server is configured for', async () => {
    await execute(server.url, 'ALTER DATABASE postgres SET jit = on');
    await using client = await PostgresClient.create({ url: server.url }, 'catalog.unavailable');
    const { rows } = await client.query({ text: "SELECT current_setting('jit') AS jit" }, waiting);
    expect(rows).toEqual([{ jit: 'off' }]);
  });

  it('says in plain words what a server lacks', async () => {
    await execute(url, `CREATE ROLE poor LOGIN PASSWORD 'x'`);
    await execute(url, 'ALTER SYSTEM SET fsync = off');
    await execute(url, 'SELECT pg_reload_conf()');
    const poor = changed(url, (parsed) => {
      parsed.username = 'poor';
      parsed.password = 'x';
    });
    await execute(url, 'CREATE SCHEMA rich');
    const lacks = async (options: PostgresCatalogOptions, now = Date.now()) =>
      (await checkPostgresCatalog(options, { ...waiting, now })).filter(({ kind }) => kind !== 'good');
    await eventually(async () =>
      expect(await lacks({ url: poor, schema: 'rich' })).toEqual([
        {
          kind: 'bad',
          about: 'durability',
          text: 'fsync of the server is off: a power failure can lose what was committed; switch it on.',
        },
        { kind: 'bad', about: 'rights', text: 'The user may not use the schema "rich": grant USAGE on it.' },
      ]),
    );
    await execute(url, 'ALTER SYSTEM RESET fsync');
    await execute(url, 'SELECT pg_reload_conf()');
    await eventually(async () => expect(await lacks({ url })).toEqual([]));
    expect(await lacks({ url }, Date.now() - 60_000)).toMatchObject([{ kind: 'advice', about: 'clock' }]);
    const wrong = changed(poor, (parsed) => {
      parsed.password = 'y';
    });
    const [refused] = await lacks({ url: wrong });
    expect(refused?.text).toMatch(/refuses the user or the password/);
  });

  it('connects by TLS only to a server whose certificate is signed for its name by a trusted authority', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    try {
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      await run('openssl', [...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]);
      await using secured = await startPostgres({ tls: { key, cert } });
      const byName = changed(secured.url, (parsed) => {
        parsed.hostname = 'localhost';
      });
      await using catalog = await openPostgresCatalog({ url: byName, tls: { caFile: cert } }, waiting);
      expect(await set(catalog, 'a')).toMatchObject({ kind: 'written' });
      const open = (options: { readonly url: Secret; readonly tls: { readonly caFile?: string } }) =>
        openPostgresCatalog(options, waiting);
      await expect(open({ url: byName, tls: {} })).rejects.toMatchObject(unavailable);
      await expect(open({ url: secured.url, tls: { caFile: cert } })).rejects.toMatchObject(unavailable);
      await expect(open({ url: server.url, tls: { caFile: cert } })).rejects.toMatchObject(unavailable);
      await expect(open({ url: byName, tls: { caFile: join(folder, 'none') } })).rejects.toMatchObject({
        code: 'config.invalid',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
