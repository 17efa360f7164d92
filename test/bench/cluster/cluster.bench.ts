import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openKafkaEventLog } from '../../../src/adapters/kafka/event-log.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { openCluster, type Cluster } from '../../support/cluster.ts';
import { rootToken } from '../../support/installation.ts';
import type { ProductProcess } from '../../support/process.ts';
import { Shop } from '../../support/shop.ts';
import { rawPost, runHttpLoad } from '../load/http-load.ts';
import { rawImport, rawMap, rawStage } from './raw-clients.ts';

export interface ClusterBenchOptions {
  /** How long events are posted. */
  readonly durationMs: number;
  readonly connections: number;
  /** How many events the roles behind ingest are measured with. */
  readonly events: number;
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
export async function benchCluster({ events, ...load }: ClusterBenchOptions): Promise<ClusterBenchResult> {
  await using cluster = await openCluster();
  await using log = openKafkaEventLog({ brokers: cluster.brokers.split(','), clientId: 'bench' });
  const front = await cluster.start('admin,ingest');
  const accept = await measureAccept({ cluster, log, front }, { ...load, warmUpMs: 1000 });
  const shop = new Shop({ url: front.admin, token: rootToken }, 'bench');
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-bench.rows', columns }], {
    uploadCount: recordsPerObject,
    uploadInterval: '5m',
    importCount: 1,
    importInterval: '30s',
  });
  const source = 'source.1.bench';
  await fill(log, { topic: source, partition: 0 }, events);
  const [sink = ''] = await log.listTopics('sink.1.bench.', never);
  announce('map');
  const mapped = await timeRole(cluster, 'map', async () => (await endOf(log, sink)) >= events);
  await log.createTopic({ name: 'raw.mapped', partitions: 1 }, never);
  const { brokers, s3, prefix } = cluster;
  const mappedRaw = await rawMap({ brokers, from: source, to: 'raw.mapped', count: events });
  announce('stage');
  // First, because the product removes what it has staged from the topic.
  const stagedRaw = await rawStage({ brokers, from: sink, count: events }, { recordsPerObject, s3 });
  const isStaged = async (): Promise<boolean> => (await shop.progress('rows')).totals.inFlight < recordsPerObject;
  const staged = await timeRole(cluster, 'stage', isStaged);
  announce('import');
  const { staged: rows } = (await shop.progress('rows')).totals;
  const importedRaw = await rawImport(
    { url: String(cluster.secrets['TABLES_URL']), columns: columns.map(({ name }) => name) },
    { s3, prefix },
  );
  const isImported = async (): Promise<boolean> => (await shop.progress('rows')).totals.staged === 0;
  const imported = await timeRole(cluster, 'import', isImported);
  // Who makes a source decides how many partitions it has.
  await leave(front);
  announce('two map processes');
  return {
    accept,
    map: { own: events / mapped, raw: events / mappedRaw },
    stage: { own: events / staged, raw: events / stagedRaw },
    import: { own: rows / imported, raw: rows / importedRaw },
    twoMaps: await mapTwice(cluster, log, events / 2),
  };
}

function announce(what: string): void {
  console.error(`measuring: ${what}`);
}

interface Front {
  readonly cluster: Cluster;
  readonly log: EventLog;
  readonly front: ProductProcess;
}

/** Events posted one at a time, to a source without sinks and to a bare server that produces each. */
async function measureAccept({ cluster, log, front }: Front, load: Load): Promise<Rate> {
  announce('accept');
  const shop = new Shop({ url: front.admin, token: rootToken }, 'accept');
  await shop.create([]);
  return { own: await post(new URL(await shop.url()), load), raw: await rawAccept(cluster, log, load) };
}

interface Load {
  readonly connections: number;
  readonly durationMs: number;
  readonly warmUpMs: number;
}

async function post(url: URL, load: Load): Promise<number> {
  const request = rawPost(url.pathname, Buffer.from(event), ['Content-Type', 'application/json']);
  return (await runHttpLoad({ host: '127.0.0.1', port: Number(url.port), requests: [request], ...load })).perSecond;
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
  return (await log.ranges(topic, never)).reduce((sum, { durableEnd }) => sum + durableEnd, 0);
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
