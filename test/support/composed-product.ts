import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseConfig } from '../../src/config/config.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { compose } from '../../src/runtime/embedded/compose.ts';
import { dataFolder, occupyDataFolder, prepareDataFolder } from '../../src/runtime/embedded/data-folder.ts';
import type { EmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { openTables } from '../../src/runtime/embedded/open-tables.ts';
import { rootToken } from './installation.ts';
import { Shop } from './shop.ts';

/** The embedded product in the process of the test, with its stores in the hands of the test: an operator who breaks things. */
export interface ComposedProduct extends AsyncDisposable {
  readonly tables: TableStore;
  readonly ports: EmbeddedPorts;
  /** Base address of the admin API. */
  readonly admin: string;
  shop(sourceId?: string): Shop;
}

const ownThreadEntry = pathToFileURL(join(import.meta.dirname, '../../src/runtime/embedded/thread-entry.ts'));

export interface ComposeProductOptions {
  /** Module of the role threads. */
  readonly threadEntry?: URL;
}

export async function composeProduct({
  threadEntry = ownThreadEntry,
}: ComposeProductOptions = {}): Promise<ComposedProduct> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const environment = {
    MILLRACE_DATA_DIR: path,
    MILLRACE_ADMIN_PORT: '0',
    MILLRACE_INGEST_PORT: '0',
    MILLRACE_LOG_LEVEL: 'fatal',
  };
  const config = parseConfig(environment, path);
  const folder = dataFolder(path);
  prepareDataFolder(folder);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(path, { recursive: true, force: true }));
  const tables = stack.use(await openTables(folder, config.tables));
  occupyDataFolder(folder);
  let ports: EmbeddedPorts | undefined;
  const composed = await compose({
    config,
    folder,
    tables,
    rootTokenHash: createHash('sha256').update(rootToken).digest('hex'),
    decorate: (opened) => (ports = opened),
    threadEntry,
  });
  stack.use(composed);
  if (ports === undefined) throw new Error('the composition did not open its ports');
  const held = stack.move();
  return {
    tables,
    ports,
    admin: composed.admin,
    shop: (sourceId) => new Shop({ url: composed.admin, token: rootToken }, sourceId),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
