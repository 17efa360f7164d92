import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseInstallationId, type InstallationId } from '../../core/installation-id.ts';
import { parseTableId } from '../../core/table-id.ts';
import { createDocument } from '../../documents/change-document.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { requireHere } from '../../stages/claims/require-here.ts';
import { dataFolder, occupyDataFolder, prepareDataFolder } from '../embedded/data-folder.ts';
import { openProcess, type OneProcess, type WholeCluster } from './both-sides.ts';
import { beginMove, leaveProcess, noteTopic, readMove, releaseCluster, requireStill } from './move-record.ts';

let folder: string;
let stack: AsyncDisposableStack;
let process: OneProcess;
let cluster: WholeCluster;
let installation: InstallationId;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-record-'));
  stack = new AsyncDisposableStack();
  installation = parseInstallationId(randomUUID());
  process = await open('process');
  cluster = await openCluster('cluster');
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function open(name: string): Promise<OneProcess> {
  const dataDir = join(folder, name);
  prepareDataFolder(dataFolder(dataDir));
  occupyDataFolder(dataFolder(dataDir));
  return openProcess({ dataDir, tables: { memoryBytes: 128 * 1024 ** 2, threads: 1 } }, stack);
}

/** Stores of one process stand in for servers, which say where they are. */
async function openCluster(name: string): Promise<WholeCluster> {
  const { catalog, sourceLog, objects, tables } = await open(name);
  const log = withMethod(sourceLog, 'location', async () => `Kafka "${name}"`);
  return { catalog, sourceLog: log, sinkLog: log, objects, tables };
}

function begin(from = process, to = cluster, { anew = false, of = installation } = {}) {
  return beginMove(from, to, { installation: of, at: '2026-01-01T00:00:00.000Z', anew, ...waiting });
}

const refused = { code: 'migration.refused' };

describe('a move', () => {
  it('M4: a move goes into one cluster, which takes one move', async () => {
    const move = await begin();
    expect((await begin()).id).toBe(move.id);
    const other = await open('other');
    await expect(begin(other)).rejects.toMatchObject(refused);
    await expect(begin(other, cluster, { of: parseInstallationId(randomUUID()), anew: true })).rejects.toMatchObject(
      refused,
    );
    // It goes elsewhere after all: what it has begun there before does not go on.
    const elsewhere = await openCluster('elsewhere');
    const second = await begin(process, elsewhere);
    expect(second.id).not.toBe(move.id);
    await expect(leaveProcess(process, move, waiting)).rejects.toMatchObject({ code: 'migration.failed' });
    await expect(requireHere(cluster.catalog, waiting)).rejects.toMatchObject({ code: 'migration.unfinished' });
    await leaveProcess(process, second, waiting);
    await expect(releaseCluster(cluster, second, waiting)).rejects.toMatchObject({ code: 'migration.failed' });
    await releaseCluster(elsewhere, second, waiting);
    await requireHere(elsewhere.catalog, waiting);
    await expect(requireHere(process.catalog, waiting)).rejects.toMatchObject({ code: 'migration.done' });
  });

  it('M4: begun anew it removes what another one has left, and nothing where a process may have worked', async () => {
    await begin();
    await putSomething(cluster);
    // A process was started meanwhile.
    await requireHere(process.catalog, waiting);
    await expect(begin()).rejects.toMatchObject(refused);
    // Not a name that the product gives: somebody else has made it meanwhile.
    await cluster.sourceLog.createTopic({ name: 'source.of-others', partitions: 1 }, waiting);
    await expect(begin(process, cluster, { anew: true })).rejects.toMatchObject(refused);
    expect(await contentsOf(cluster)).toEqual(['source.of-others']);
    // No process starts meanwhile, and the next one may be begun anew.
    await expect(requireHere(cluster.catalog, waiting)).rejects.toMatchObject({ code: 'migration.unfinished' });
    await putObject(cluster);
    await cluster.sourceLog.deleteTopic('source.of-others', waiting);
    const second = await begin(process, cluster, { anew: true });
    expect(await contentsOf(cluster)).toEqual([]);
    await leaveProcess(process, second, waiting);
    await releaseCluster(cluster, second, waiting);
    await putSomething(cluster);
    const before = await contentsOf(cluster);
    const copy = await open('copy');
    await expect(begin(copy, cluster, { anew: true })).rejects.toMatchObject(refused);
    expect(await contentsOf(cluster)).toEqual(before);
  });

  it('M4: one that is cleared away does not end, and clearing that was cut off is done again before anything is copied', async () => {
    const first = await begin();
    await putSomething(cluster);
    const copy = await open('copy');
    const objects = withMethod(cluster.objects, 'delete', () => Promise.reject(new Error('cut off')));
    await expect(begin(copy, { ...cluster, objects }, { anew: true })).rejects.toThrow('cut off');
    await expect(requireStill(cluster, first, waiting)).rejects.toMatchObject({ code: 'migration.failed' });
    await expect(requireHere(cluster.catalog, waiting)).rejects.toMatchObject({ code: 'migration.unfinished' });
    for (const from of [process, copy]) await expect(begin(from)).rejects.toMatchObject(refused);
    const second = await begin(copy, cluster, { anew: true });
    expect(await contentsOf(cluster)).toEqual([]);
    await requireStill(cluster, second, waiting);
  });

  it('M4: one whose place another one has taken notes nothing there', async () => {
    const first = await begin();
    const copy = await open('copy');
    const second = await begin(copy, cluster, { anew: true });
    const topic = { name: 'source.1.a', identity: 'x' };
    await expect(noteTopic(cluster, { ...topic, move: first }, waiting)).rejects.toMatchObject({
      code: 'migration.failed',
    });
    expect((await readMove(cluster.catalog, waiting))?.topics).toBeUndefined();
    await noteTopic(cluster, { ...topic, move: second }, waiting);
    expect((await readMove(cluster.catalog, waiting))?.topics).toEqual({ [topic.name]: topic.identity });
  });

  it('M4: that a process of the cluster has come before leaves nothing that keeps the others from starting', async () => {
    // Between the look at an empty cluster and the first document of the move.
    const raced = withMethod(cluster.catalog, 'compareAndSet', async (write, options) => {
      const others = { id: parseInstallationId(randomUUID()), claimed: [] };
      if (write.id === 'migration')
        await createDocument(
          cluster.catalog,
          { kind: installationDocuments, id: 'installation', value: others },
          waiting,
        );
      return cluster.catalog.compareAndSet(write, options);
    });
    await expect(begin(process, { ...cluster, catalog: raced })).rejects.toMatchObject(refused);
    await requireHere(cluster.catalog, waiting);
  });

  it('M5: a cluster that has anything in it is not empty', async () => {
    const somethings = [putTopic, putObject, putTable, putLedger, putDocument];
    for (const [at, put] of somethings.entries()) {
      const target = await openCluster(`filled-${at}`);
      await put(target);
      await expect(begin(process, target), put.name).rejects.toMatchObject(refused);
      await expect(begin(process, target, { anew: true }), put.name).rejects.toMatchObject(refused);
      expect(await contentsOf(target)).toHaveLength(1);
      expect(await target.catalog.get('meta', 'migration', waiting)).toBeUndefined();
    }
    const marked = await openCluster('marked');
    await marked.tables.claim(parseInstallationId(randomUUID()), waiting);
    await expect(begin(process, marked)).rejects.toMatchObject(refused);
    expect(await marked.catalog.list({ collection: 'meta', prefix: '' }, waiting)).toEqual([]);
  });
});

const putTopic = async ({ sourceLog }: WholeCluster) =>
  void (await sourceLog.createTopic({ name: 'sink.1.a.b.2', partitions: 1 }, waiting));
const putObject = async ({ objects }: WholeCluster) =>
  void (await objects.put('files/1/2-x', { kind: 'bytes', bytes: Buffer.from('x') }, waiting));
const putTable = ({ tables }: WholeCluster) => tables.createTable(parseTableId('in.c-a.b'), ['a'], waiting);
const putLedger = ({ tables }: WholeCluster) => tables.createLedger(parseIncarnation(3), waiting);
const putDocument = async ({ catalog }: WholeCluster) =>
  void (await catalog.compareAndSet({ collection: 'token', id: 'x', expected: undefined, value: {} }, waiting));

async function putSomething(target: WholeCluster): Promise<void> {
  for (const put of [putTopic, putObject, putTable, putLedger, putDocument]) await put(target);
}

async function contentsOf({ catalog, sourceLog, objects, tables }: WholeCluster): Promise<readonly string[]> {
  const found = [...(await sourceLog.listTopics('', waiting))];
  for await (const { name } of objects.list('', waiting)) if (name !== 'millrace-installation.json') found.push(name);
  found.push(...(await tables.listTables(waiting)).map(({ tableId }) => tableId));
  found.push(...(await tables.readLedgerContents(waiting)).imports.map(({ incarnation }) => `ledger ${incarnation}`));
  found.push(...(await catalog.list({ collection: 'token', prefix: '' }, waiting)).map(({ id }) => id));
  return found;
}
