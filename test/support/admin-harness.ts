import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { openFileSystemObjectStore } from '../../src/adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { createApi, type ApiService } from '../../src/api/create-api.ts';
import type { ApiDependencies } from '../../src/api/dependencies.ts';
import { tokenHash } from '../../src/control/store/tokens.ts';
import { SeenWorkers } from '../../src/core/workforce.ts';
import { SecretKeys } from '../../src/secrets/secret-keys.ts';
import { TrialThread } from '../../src/runtime/trials/trial-thread.ts';
import { claimsOf } from '../../src/runtime/composition/claims-of.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { silentTelemetry } from './silent-telemetry.ts';
import type { ObjectStore } from '../../src/ports/object-store.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { Api } from './api.ts';
import { ownEverything } from './own-everything.ts';

export const rootToken = 'root-token-of-the-test';

export interface AdminHarness extends AsyncDisposable {
  readonly dependencies: ApiDependencies;
  readonly objects: ObjectStore;
  /** With imports, which the API never makes. */
  readonly tableStore: TableStore;
  readonly admin: ApiService;
  readonly base: string;
  readonly api: Api;
  /** Ends the service as a kill would, and starts another one on the same stores. */
  restart(between?: () => void): Promise<void>;
}

/** What a test gives instead of an embedded store, made of that store. */
export type Decorate = (dependencies: ApiDependencies) => ApiDependencies;

/** The management API on a free port, on embedded stores in a temporary folder. */
export async function startAdmin(decorate: Decorate = (dependencies) => dependencies): Promise<AdminHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-admin-'));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  const memoryLimitBytes = 256 * 1024 * 1024;
  const tables = stack.use(
    await openDuckDbTableStore({
      path: join(folder, 'tables.duckdb'),
      tempDir: join(folder, 'tmp'),
      memoryLimitBytes,
      memoryCeilingBytes: memoryLimitBytes,
      threads: 1,
    }),
  );
  const log = { instance: 'test', first: true, clock: systemClock };
  const sourceLog = stack.use(await openLmdbEventLog({ path: join(folder, 'source-log'), ...log }));
  const sinkLog = stack.use(await openLmdbEventLog({ path: join(folder, 'sink-log'), ...log }));
  const objects = stack.use(
    await openFileSystemObjectStore({ folder: join(folder, 'staging'), removeLeftovers: true }),
  );
  const answer = (text: string) => (_: unknown, response: { end(text: string): void }) => response.end(text);
  const dependencies = decorate({
    catalog,
    sourceLog,
    sinkLog,
    tables,
    ledger: tables,
    loads: tables,
    runsJobs: 'here',
    workers: new SeenWorkers(),
    pages: tables,
    letters: tables,
    objects,
    localFolder: join(folder, 'local'),
    ownership: ownEverything,
    hasOwnLog: true,
    holdings: claimsOf({ catalog, objects, sourceLog, sinkLog, tables }, { telemetry: silentTelemetry() }),
    clock: systemClock,
    random: (length) => randomBytes(length),
    trials: stack.use(new TrialThread()),
    config: {
      version: '0.0.0-test',
      projectId: 7,
      host: '127.0.0.1',
      port: 0,
      maxConnections: 1000,
      publicIngestUrl: () => 'http://ingest.test',
      trustedProxies: ['127.0.0.1'],
      maxBodyBytes: 1024 * 1024,
      partitions: 1,
      maxSources: 100,
      corsOrigins: ['https://app.test'],
      owner: 'test',
      handoverMs: 0,
    },
    rootTokenHash: tokenHash(rootToken),
    secretKeys: new SecretKeys(['0f'.repeat(32)]),
    ops: { metrics: answer('metrics'), live: answer('live'), ready: answer('ready') },
    telemetry: silentTelemetry(),
  });
  let lives = 0;
  const serve = (): Promise<ServedAdmin> => {
    lives += 1;
    const life = lives;
    const mortal = mortalBehind(dependencies, () => life < lives);
    return serveAdmin({ ...mortal, config: { ...mortal.config, owner: `${mortal.config.owner}-${life}` } });
  };
  let served = await serve();
  return {
    dependencies,
    objects,
    tableStore: tables,
    get admin() {
      return served.admin;
    },
    get base() {
      return served.base;
    },
    get api() {
      return new Api(served.base, rootToken);
    },
    restart: async (between) => {
      await served.end();
      between?.();
      served = await serve();
    },
    [Symbol.asyncDispose]: async () => {
      await served.end();
      await stack.disposeAsync();
    },
  };
}

/** The same stores, which do nothing more for a service once it is dead: what it still wanted to take back stays, as after a kill. */
function mortalBehind(dependencies: ApiDependencies, isDead: () => boolean): ApiDependencies {
  const mortal = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown =>
          isDead() ? new Promise(() => undefined) : (Reflect.apply(member, target, given) as unknown);
      },
    });
  const { catalog, tables, ledger, loads, sourceLog, sinkLog } = dependencies;
  return {
    ...dependencies,
    catalog: mortal(catalog),
    tables: mortal(tables),
    ledger: mortal(ledger),
    loads: mortal(loads),
    sourceLog: mortal(sourceLog),
    sinkLog: mortal(sinkLog),
  };
}

export interface ServedAdmin {
  readonly admin: ApiService;
  readonly base: string;
  /** Ends the service as a kill would. */
  end(): Promise<void>;
}

/** One more process of the role on the same stores; it is up when it is ready. */
export async function serveAdmin(dependencies: ApiDependencies): Promise<ServedAdmin> {
  const admin = createApi(dependencies);
  await admin.start();
  const running = admin.run(new AbortController().signal);
  const base = `http://127.0.0.1:${admin.address()?.port ?? 0}`;
  await Promise.race([admin.ready, running]);
  return {
    admin,
    base,
    end: async () => {
      await admin[Symbol.asyncDispose]();
      await running.catch(() => undefined);
    },
  };
}
