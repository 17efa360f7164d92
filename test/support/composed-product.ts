import type { DuckDbTables } from '../../src/adapters/duckdb/table-store.ts';
import { SecretKeys } from '../../src/secrets/secret-keys.ts';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseConfig, type Config } from '../../src/config/config.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { Breakdown } from '../../src/runtime/breakdown.ts';
import { compose } from '../../src/runtime/composition/compose.ts';
import { dataFolder, occupyDataFolder, prepareDataFolder } from '../../src/runtime/embedded/data-folder.ts';
import type { PulseLimits } from '../../src/runtime/composition/pulse.ts';
import type { Ports } from '../../src/runtime/composition/ports.ts';
import { embeddedPlatform } from '../../src/runtime/embedded/embedded-platform.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { FolderBackups } from '../../src/runtime/backup/folder-backups.ts';
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts';
import { openTables } from '../../src/runtime/embedded/open-tables.ts';
import { builtEntry } from './built-entry.ts';
import { rootToken } from './installation.ts';
import { Shop } from './shop.ts';

/** The embedded product in the process of the test, with its stores in the hands of the test: an operator who breaks things. */
export interface ComposedProduct extends AsyncDisposable {
  readonly tables: TableStore;
  readonly ports: Ports;
  /** Base address of the admin API. */
  readonly admin: string;
  shop(sourceId?: string): Shop;
}

export interface ComposeProductOptions {
  /** Module of the role threads. */
  readonly threadEntry?: URL;
  readonly pulseLimits?: PulseLimits;
  /** For each role. */
  readonly threads?: number;
  /** What the product gets in the place of its tables. */
  readonly behind?: (tables: DuckDbTables) => DuckDbTables;
  /** What the environment of a test cannot say. */
  readonly configured?: (config: Config) => Config;
}

export async function composeProduct({
  threadEntry,
  pulseLimits,
  threads = 1,
  behind = (tables) => tables,
  configured = (config) => config,
}: ComposeProductOptions = {}): Promise<ComposedProduct> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const environment = {
    MILLRACE_DATA_DIR: path,
    MILLRACE_ADMIN_PORT: '0',
    MILLRACE_INGEST_PORT: '0',
    MILLRACE_OTLP_GRPC_PORT: '0',
    MILLRACE_LOG_LEVEL: 'fatal',
    MILLRACE_THREADS: String(threads),
    MILLRACE_LEAST_INGEST_THREADS: String(threads),
  };
  const breakdown = new Breakdown();
  const config = configured(parseConfig(environment, path));
  const folder = dataFolder(path);
  prepareDataFolder(folder);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(path, { recursive: true, force: true }));
  const tables = stack.use(await openTables(folder, config.tables));
  occupyDataFolder(folder);
  const ports = await openEmbeddedPorts(folder, { instance: 'main', first: true, onBroken: breakdown.report }, stack);
  const telemetry = createTelemetry({ main: true, level: config.logLevel, role: 'main' });
  const backups = stack.use(new FolderBackups({ folder, tables, telemetry }));
  const composed = await compose({
    config,
    telemetry,
    breakdown,
    pulseLimits,
    platform: embeddedPlatform(folder, { ports, tables: behind(tables), backups }),
    rootTokenHash: createHash('sha256').update(rootToken).digest('hex'),
    secretKeys: new SecretKeys(['0f'.repeat(32)]),
    decorate: (opened) => opened,
    threadEntry: threadEntry ?? pathToFileURL(await builtEntry('thread-entry')),
  });
  stack.use(composed);
  const { admin } = composed.listeners;
  if (admin === undefined) throw new Error('the composition serves no API');
  const held = stack.move();
  return {
    tables,
    ports,
    admin,
    shop: (sourceId) => new Shop({ url: admin, token: rootToken }, sourceId),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
