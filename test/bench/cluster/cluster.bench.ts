import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openKafkaEventLog } from '../../../src/adapters/kafka/event-log.ts';
import { openS3ObjectStore } from '../../../src/adapters/s3/object-store.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { openCluster, type Cluster } from '../../support/cluster.ts';
import { rootToken } from '../../support/installation.ts';
import type { ProductProcess } from '../../support/process.ts';
import { Shop } from '../../support/shop.ts';
import { rawPost, runHttpLoad } from '../http-load.ts';
import { rawImport, rawMap, rawStage } from './raw-clients.ts';

export interface ClusterBenchOptions {
  readonly durationMs: number;
  readonly connections: number;
}

/** One role against the drivers alone, both per second. */
export interface Rate {
  readonly own: number;
  readonly raw: number;
}

export interface ClusterBenchResult {
  readonly accept: Rate;
  readonly map: Rate;
  readonly stage: Rate;
  readonly import: Rate;
  /** Two map processes on two partitions against one on the same topic, outcomes per second. */
  readonly twoMaps: { readonly one: number; readonly two: number };
}

const never = { signal: new AbortController().signal };
const recordsPerObject = 10_000;
const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'received' },
  { type: 'ip', name: 'ip' },
  { type: 'path', name: 'action', path: 'action', rawString: true },
  { type: 'path', name: 'repository', path: 'repository.full_name', rawString: true },
  { type: 'path', name: 'sender', path: 'sender.login', rawString: true },
];
const event = JSON.stringify({
  id: 1234567,
  action: 'opened',
  repository: { full_name: 'millrace/millrace', private: false },
  sender: { login: 'somebody', id: 42 },
  text: 'x'.repeat(830),
});

/** Each role alone on real servers, on the same events one after the other, and the raw clients doing the same work. */
export async function benchCluster({ durationMs, connections }: ClusterBenchOptions): Promise<ClusterBenchResult> {
  await using cluster = await openCluster();
  await using log = openKafkaEventLog({ brokers: cluster.brokers.split(','), clientId: 'bench' });
  const front = await cluster.start('admin,ingest');
  const shop = new Shop({ url: front.admin, token: rootToken }, 'bench');
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-bench.rows', columns }], {
    uploadCount: recordsPerObject,
    uploadInterval: '5m',
    importCount: 1,
    importInterval: '30s',
  });
  const load = { connections, durationMs, warmUpMs: 1000 };
  console.error('measuring: accepted');
  const accepted = await post(new URL(await shop.url()), load);
  console.error('measuring: acceptedRaw');
  const acceptedRaw = await rawAccept(cluster, log, load);
  const [source = ''] = await log.listTopics('source.', never);
  const [sink = ''] = await log.listTopics('sink.', never);
  const count = await endOf(log, source);
  console.error('measuring: mapped');
  const mapped = await timeRole(cluster, 'map', async () => (await endOf(log, sink)) >= count);
  await log.createTopic({ name: 'raw.mapped', partitions: 1 }, never);
  console.error('measuring: mappedRaw');
  const mappedRaw = await rawMap({ brokers: cluster.brokers, from: source, to: 'raw.mapped', count });
  // First, because the product removes what it has staged from the topic.
  console.error('measuring: stagedRaw');
  const stagedRaw = await rawStage(
    { brokers: cluster.brokers, from: sink, count },
    { recordsPerObject, s3: cluster.s3 },
  );
  const sealedAll = async (): Promise<boolean> => (await shop.progress('rows')).totals.inFlight < recordsPerObject;
  console.error('measuring: staged');
  const staged = await timeRole(cluster, 'stage', sealedAll);
  console.error('measuring: imported');
  const imported = await importStaged(cluster, shop);
  // Who makes a source decides how many partitions it has.
  await leave(front);
  console.error('measuring: two maps');
  return {
    accept: { own: accepted, raw: acceptedRaw },
    map: { own: count / mapped, raw: count / mappedRaw },
    stage: { own: count / staged, raw: count / stagedRaw },
    import: imported,
    twoMaps: await mapTwice(cluster, log, Math.min(count, 100_000)),
  };
}

interface Load {
  readonly connections: number;
  readonly durationMs: number;
  readonly warmUpMs: number;
}

async function post(url: URL, load: Load): Promise<number> {
  const request = rawPost(url.pathname, Buffer.from(event), ['Content-Type', 'application/json']);
  const result = await runHttpLoad({ host: '127.0.0.1', port: Number(url.port), request, ...load });
  if (result.failures > 0) throw new Error(`${result.failures} requests of the bench failed`);
  return result.perSecond;
}

async function rawAccept({ brokers }: Cluster, log: EventLog, load: Load): Promise<number> {
  await log.createTopic({ name: 'raw.accepted', partitions: 1 }, never);
  const entry = fileURLToPath(new URL('raw-ingest.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, brokers, 'raw.accepted'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return await post(new URL(`${(JSON.parse(line) as { ingest: string }).ingest}/x`), load);
  } finally {
    child.kill('SIGKILL');
  }
}

async function endOf(log: EventLog, topic: string): Promise<number> {
  return (await log.ranges(topic, never)).reduce((sum, { end }) => sum + end, 0);
}

/** Seconds from the moment that a process with the role is ready until it is done; then the process leaves. */
async function timeRole(cluster: Cluster, role: string, isDone: () => Promise<boolean>): Promise<number> {
  const process = await cluster.start(role);
  const seconds = await timeUntil(isDone);
  await leave(process);
  return seconds;
}

async function timeUntil(isDone: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10));
  return (performance.now() - began) / 1000;
}

async function leave(process: ProductProcess): Promise<void> {
  process.kill('SIGTERM');
  await process.ended;
}

/** Rows per second into the table from what is staged, and of COPY from the same files. */
async function importStaged(cluster: Cluster, shop: Shop): Promise<Rate> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  try {
    await using store = await openS3ObjectStore({ ...cluster.s3, keyPrefix: cluster.prefix });
    for await (const { name } of store.list('', never))
      await writeFile(join(folder, name.replaceAll('/', '_')), await buffer(await store.get(name, never)));
    const before = (await shop.progress('rows')).totals;
    const waiting = before.staged;
    const seconds = await timeRole(cluster, 'import', async () => (await shop.progress('rows')).totals.staged === 0);
    const names = columns.map(({ name }) => name);
    const rawSeconds = await rawImport(String(cluster.secrets['TABLES_URL']), { folder, columns: names });
    return { own: waiting / seconds, raw: waiting / rawSeconds };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same events in two partitions, mapped by one process and by two. */
async function mapTwice(cluster: Cluster, log: EventLog, perPartition: number): Promise<ClusterBenchResult['twoMaps']> {
  const front = await cluster.start('admin,ingest', { MILLRACE_PARTITIONS: '2' });
  const rates: number[] = [];
  for (const processes of [1, 2]) {
    const shop = new Shop({ url: front.admin, token: rootToken }, `pair${processes}`);
    await shop.create([{ sinkId: 'rows', tableId: `in.c-bench.pair${processes}`, columns }]);
    const source = `source.1.pair${processes}`;
    for (const partition of [0, 1]) await fill(log, { topic: source, partition }, perPartition);
    const [sink = ''] = await log.listTopics(`sink.1.pair${processes}.`, never);
    const started = await Promise.all(Array.from({ length: processes }, () => cluster.start('map')));
    const seconds = await timeUntil(async () => (await endOf(log, sink)) >= 2 * perPartition);
    rates.push((2 * perPartition) / seconds);
    await Promise.all(started.map(leave));
  }
  const [one = 0, two = 0] = rates;
  return { one, two };
}

async function fill(
  log: EventLog,
  at: { readonly topic: string; readonly partition: number },
  count: number,
): Promise<void> {
  const record = { value: Buffer.from(event), headers: ['content-type', 'application/json'], timestamp: Date.now() };
  for (let left = count; left > 0; left -= 500)
    await log.append(
      at,
      Array.from({ length: Math.min(500, left) }, () => record),
      never,
    );
}

if (import.meta.main)
  console.log(await benchCluster({ durationMs: Number(process.argv[2] ?? 10_000), connections: 64 }));
