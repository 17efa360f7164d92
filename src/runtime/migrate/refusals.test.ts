import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { parseTopology } from '../../config/topology/parse-topology.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { parseInstallationId } from '../../core/installation-id.ts';
import { entryOf } from '../../core/progress/sink-progress.ts';
import { putDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { SecretKeys } from '../../secrets/secret-keys.ts';
import { dataFolder, occupyDataFolder, prepareDataFolder } from '../embedded/data-folder.ts';
import { openProcess, type OneProcess } from './both-sides.ts';
import { readPlan } from './plan.ts';
import { judgePlan } from './refusals.ts';

const now = 1_000_000_000_000;
const hourMs = 3_600_000;
const keys = ['11'.repeat(32), '22'.repeat(32)];

let folder: string;
let stack: AsyncDisposableStack;
let process: OneProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-plan-'));
  stack = new AsyncDisposableStack();
  prepareDataFolder(dataFolder(folder));
  occupyDataFolder(dataFolder(folder));
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<void> {
  const tables = { memoryBytes: 128 * 1024 ** 2, threads: 1 };
  process = await openProcess({ dataDir: folder, tables }, stack);
  const value = { id: parseInstallationId(randomUUID()), claimed: [] };
  await putDocument(process.catalog, { kind: installationDocuments, id: 'installation', value }, waiting);
}

function topologyOf(topics: object): ClusterTopology {
  const store = { kind: 'postgres', url: { env: 'URL' } };
  const text = JSON.stringify({
    kind: 'cluster',
    log: { kind: 'kafka', brokers: ['127.0.0.1:9092'], topics },
    staging: { kind: 's3', bucket: 'staging' },
    catalog: store,
    tables: store,
  });
  const topology = parseTopology(text, { path: 'test', environment: { URL: 'postgres://u:p@127.0.0.1:1/db' } });
  if (topology.kind !== 'cluster') throw new Error('it is a cluster');
  return topology;
}

async function refusals(topics: object = {}): Promise<readonly string[]> {
  const plan = await readPlan(process, { ...waiting, onBytes: () => undefined });
  const judging = { topology: topologyOf(topics), keys: new SecretKeys(keys.slice(0, 1)), now, ...waiting };
  return (await judgePlan(process, plan, judging)).refusals;
}

/** A source with events of these ages, and a sink of it that has taken so many. */
async function deliver(agesMs: readonly number[], taken: number, valueBytes = 10): Promise<void> {
  const { catalog, sourceLog, sinkLog } = process;
  const source = await sourceLog.createTopic({ name: 'source.1.shop', partitions: 1 }, waiting);
  const sink = await sinkLog.createTopic({ name: 'sink.1.shop.orders.1', partitions: 1 }, waiting);
  for (const ageMs of agesMs) {
    const record = { value: Buffer.alloc(valueBytes), headers: [], timestamp: now - ageMs };
    for (const [log, topic] of [
      [sourceLog, source.name],
      [sinkLog, sink.name],
    ] as const)
      await log.append({ topic, partition: 0 }, [record], waiting);
  }
  const begun = progressOf(0);
  const topics = { ...begun.topics, sourceIdentity: source.identity, sinkIdentity: sink.identity };
  const entries = { 0: { ...entryOf(begun, 0), sink: taken, source: taken - 1 } };
  const value = { ...begun, topics, entries };
  await putDocument(catalog, { kind: progressDocuments, id: progressId(begun.incarnation), value }, waiting);
}

describe('a data folder', () => {
  it('M5: can be moved when Kafka keeps what is not delivered, however old the rest is', async () => {
    await open();
    await deliver([1000 * hourMs, 166 * hourMs, 0], 1);
    expect(await refusals()).toEqual([]);
    expect(await refusals({ retention: '100h' })).toEqual([
      expect.stringMatching(
        /would remove events of the topic "source.1.shop".* 166 hours old: raise log.topics.retention /,
      ),
    ]);
  });

  it('M5: cannot when Kafka would remove by size what is not delivered, or does not take a record', async () => {
    await open();
    await deliver([0, 0], 1, 1_500_000);
    expect(await refusals()).toEqual([]);
    expect(await refusals({ retentionBytes: '2MB', maxAppendBytes: '1MB' })).toEqual([
      expect.stringMatching(/topic "source.1.shop" has 1500016 bytes: set log.topics.maxAppendBytes .* 1500016/),
      expect.stringContaining('raise log.topics.retentionBytes'),
    ]);
  });

  it('M5: cannot while it has lost outcomes that nobody has noted', async () => {
    await open();
    await deliver([0, 0, 0], 0);
    const { identity } = (await process.sinkLog.describeTopic('sink.1.shop.orders.1', waiting)) ?? { identity: '' };
    await process.sinkLog.trim({ topic: 'sink.1.shop.orders.1', partition: 0, identity }, 2, waiting);
    expect(await refusals()).toEqual([expect.stringContaining('has lost outcomes that were not staged')]);
  });

  it('M5: cannot while a source is being erased, nor with a document that this release cannot read', async () => {
    await open();
    const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'user' } } as const;
    const version = { ...stamp, number: 1, hash: '0'.repeat(16), description: '' };
    const source = {
      branchId: 1,
      sourceId: 'shop',
      type: 'http',
      name: '',
      description: '',
      secrets: [],
      settings: {},
      version,
      created: stamp,
      erased: { tables: [], isDone: false },
      topic: 'source.1.shop',
      topicIdentity: 'x',
      partitions: 1,
      incarnation: 1,
    };
    await putDocument(
      process.catalog,
      { kind: sourceDocuments.unread(), id: '000000000000001/shop', value: source },
      waiting,
    );
    await putDocument(process.catalog, { kind: progressDocuments.unread(), id: '7', value: { a: 1 } }, waiting);
    expect(await refusals()).toEqual([
      expect.stringContaining('the document "7" cannot be read'),
      expect.stringContaining('the source "shop" is being erased'),
    ]);
  });

  it('M5: cannot with secrets that the cluster has no key for', async () => {
    await open();
    const scope = { installation: 'x', purpose: 'vault' };
    for (const [at, key] of keys.entries()) {
      const secret = new SecretKeys([key]).encrypt('value', scope, Buffer.alloc(12, at));
      await process.catalog.compareAndSet(
        { collection: 'vault', id: String(at), expected: undefined, value: { secret: [secret] } },
        waiting,
      );
    }
    expect(await refusals()).toEqual([expect.stringMatching(/^1 documents hold secrets under a key/)]);
  });

  it('M5: cannot with columns that are no texts', async () => {
    const instance = await DuckDBInstance.create(dataFolder(folder).tables);
    const connection = await instance.connect();
    await connection.run('CREATE SCHEMA "in.c-shop"');
    await connection.run('CREATE TABLE "in.c-shop".orders (a VARCHAR NOT NULL, b INTEGER NOT NULL, c VARCHAR)');
    connection.closeSync();
    instance.closeSync();
    await open();
    expect(await refusals()).toEqual([
      'the column "b" of the table "in.c-shop.orders" is INTEGER',
      'the column "c" of the table "in.c-shop.orders" is VARCHAR that may be NULL',
    ]);
  });
});
