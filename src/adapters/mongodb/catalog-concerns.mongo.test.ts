import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { startCommandProxy, type CommandProxy, type MongodbCommand } from '../../../test/support/mongodb-commands.ts';
import { isEmulatorMissing, startMongodb, type StartedMongodb } from '../../../test/support/mongodb.ts';
import { Secret } from '../../config/secrets.ts';
import { openMongodbCatalog } from './catalog.ts';
import { createMongodbClient } from './client.ts';

const waiting = { signal: new AbortController().signal };

const writes: readonly string[] = ['insert', 'update', 'delete', 'findAndModify', 'createIndexes'];
const reads: readonly string[] = ['find', 'aggregate', 'count', 'distinct', 'getMore'];
/** What says nothing about documents. */
const others: readonly string[] = ['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'killCursors'];

/** The emulator knows neither members nor journals: what holds is seen in the commands alone. */
describe.skipIf(await isEmulatorMissing())('what the catalog on MongoDB asks for, on the wire', () => {
  let server: StartedMongodb;
  let proxy: CommandProxy;

  beforeAll(async () => {
    server = await startMongodb();
    proxy = await startCommandProxy(server.port);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Every command of a catalog that did all that it can do, its cleaning too. */
  let using: Promise<void> | undefined;
  const asked = async (): Promise<readonly MongodbCommand[]> => {
    using ??= useAll();
    await using;
    return proxy.commands;
  };

  async function useAll(): Promise<void> {
    const database = `millrace-${v4()}`;
    const url = new Secret(`mongodb://127.0.0.1:${proxy.port}/?retryWrites=true`);
    await using catalog = await openMongodbCatalog({ url, database, keptRemovals: 1, pollMs: 20 }, waiting);
    const first = await catalog.changes({ collection: 'sink', token: undefined, maxWaitMs: 0 }, waiting);
    for (const id of ['a', 'b', 'c', 'd']) {
      const made = { collection: 'sink', id, expected: undefined, value: { id } } as const;
      const written = await catalog.compareAndSet(made, waiting);
      if (written.kind !== 'written') throw new Error('a conflict that cannot be');
      if (id !== 'a') await catalog.remove('sink', id, written.revision, waiting);
    }
    await catalog.changes({ collection: 'sink', token: first.token, maxWaitMs: 0 }, waiting);
    await catalog.list({ collection: 'sink', prefix: '' }, waiting);
    await catalog.count('sink', '', waiting);
    await catalog.get('sink', 'a', waiting);
    await eventually(() => expect(proxy.commands.map(nameOf)).toContain('delete'));
  }

  const nameOf = (command: MongodbCommand): string => Object.keys(command)[0] ?? '';
  const named = async (names: readonly string[]): Promise<readonly MongodbCommand[]> =>
    (await asked()).filter((command) => names.includes(nameOf(command)));
  const targetOf = (command: MongodbCommand): unknown => command[nameOf(command)];

  it('every command is a write, a read, or about neither', async () => {
    const seen = new Set((await asked()).map(nameOf));
    expect([...seen].filter((name) => ![...writes, ...reads, ...others].includes(name))).toEqual([]);
    for (const name of ['insert', 'update', 'delete', 'findAndModify', 'find', 'aggregate'])
      expect(seen).toContain(name);
  });

  it('D1: every write is acknowledged by a majority with its journal, and the server gives up in time', async () => {
    const concerns = (await named(writes)).map((command) => [nameOf(command), command['writeConcern']]);
    for (const [name, concern] of concerns)
      expect([name, concern]).toEqual([name, { w: 'majority', j: true, wtimeout: expect.any(Number) as number }]);
  });

  it('D2: every read is of what a majority has; documents and counters are read linearizably', async () => {
    for (const command of await named(reads)) {
      const level = (command['readConcern'] as { readonly level?: string } | undefined)?.level;
      const isDocument = nameOf(command) === 'find' && targetOf(command) === 'catalog.sink' && 'singleBatch' in command;
      const enough = isDocument ? ['linearizable'] : ['majority', 'linearizable'];
      expect(enough, `${nameOf(command)} of ${String(targetOf(command))}`).toContain(level);
    }
    const counters = (await named(['find'])).filter(
      (command) => targetOf(command) === 'catalog.counters' && command['limit'] === 1,
    );
    expect(counters.length).toBeGreaterThan(0);
    for (const command of counters) expect(command['readConcern']).toEqual({ level: 'linearizable' });
  });

  it('D3: nothing is repeated by the driver: no write carries a number of a transaction', async () => {
    expect((await named(writes)).filter((command) => 'txnNumber' in command)).toEqual([]);
  });

  it('D2: reads go to the primary, and the driver repeats none, whatever the URL says', async () => {
    const url = new Secret('mongodb://127.0.0.1:1/?retryReads=true&retryWrites=true&journal=true');
    const client = createMongodbClient({ url });
    expect(client.readPreference.mode).toBe('primary');
    expect(client.options).toMatchObject({ retryReads: false, retryWrites: false });
    await client.close();
  });
});
