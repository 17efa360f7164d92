import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openKafkaEventLog } from '../../../src/adapters/kafka/event-log.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { openCluster, type Cluster, type ClusterChoices } from '../../support/cluster.ts';
import { rootToken } from '../../support/installation.ts';
import type { ProductProcess } from '../../support/process.ts';
import { Shop } from '../../support/shop.ts';
import { readProcessorTime, timeBetween, totalOf, type ProcessorTime } from '../processor-time.ts';
import type { LoadedSide } from '../sides/loaded-side.ts';
import { columns } from '../sides/event.ts';
import { events as bodies } from './events.ts';
import { quietDriver } from './raw-side.ts';
import { readServersTime, serversBetween, type Server } from './servers-time.ts';

export const never = { signal: new AbortController().signal };

/** Rows of a slice, and of an object of the drivers. */
export const recordsPerObject = 10_000;

/** What a side did with all events of a round. */
export interface RoleWork {
  readonly events: number;
  readonly perSecond: number;
  /** Of the side's process. */
  readonly used: ProcessorTime;
  /** Of an event. */
  readonly microseconds: number;
  readonly loaderShare: number;
  /** Processor time that servers took for an event meanwhile. */
  readonly servers: ReadonlyMap<Server, number>;
}

export interface LabChoices extends ClusterChoices {
  /** For each process of the product. */
  readonly env?: Readonly<Record<string, string>>;
}

interface LabParts {
  readonly cluster: Cluster;
  readonly log: EventLog;
  readonly stack: AsyncDisposableStack;
  readonly env: Readonly<Record<string, string>>;
  /** Base address of the API. */
  readonly admin: string;
}

/** Real servers, a process of each role, and what they are measured with. */
export class Lab implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly log: EventLog;
  readonly #stack: AsyncDisposableStack;
  readonly #env: Readonly<Record<string, string>>;
  readonly #roles = new Map<string, RoleProcess>();
  readonly #admin: string;

  private constructor({ cluster, log, stack, env, admin }: LabParts) {
    this.cluster = cluster;
    this.log = log;
    this.#stack = stack;
    this.#env = env;
    this.#admin = admin;
  }

  static async open({ env: given = {}, ...choices }: LabChoices = {}): Promise<Lab> {
    await using stack = new AsyncDisposableStack();
    const env = { MILLRACE_THREADS: '1', ...given };
    // A process that stands still stays in its group.
    const cluster = stack.use(await openCluster({ sessionTimeoutMs: 120_000, ...choices }));
    const log = stack.use(openKafkaEventLog({ brokers: cluster.brokers.split(','), clientId: 'bench' }));
    // Nobody posts to that address.
    const address = { MILLRACE_PUBLIC_INGEST_URL: 'http://127.0.0.1:1' };
    const { admin } = await cluster.start('admin', { ...env, ...address });
    return new Lab({ cluster, log, env, admin, stack: stack.move() });
  }

  shop(sourceId: string): Shop {
    return new Shop({ url: this.#admin, token: rootToken }, sourceId);
  }

  /** The process with this role; started at first, and standing still. */
  async role(role: string): Promise<RoleProcess> {
    const known = this.#roles.get(role);
    if (known !== undefined) return known;
    const started = new RoleProcess(await this.cluster.start(role, this.#env));
    this.#roles.set(role, started);
    return started;
  }

  /** A process that takes events, and the address of a source that is made here. */
  async ingest(sourceId: string, { partitions = 1, env = {} }: IngestChoices = {}): Promise<LoadedSide> {
    const shop = this.shop(sourceId);
    await makeSource(shop, { sourceId, partitions });
    const started = await this.cluster.start('ingest', { ...this.#env, ...env });
    const url = new URL(new URL(await shop.url()).pathname, started.ingest);
    await untilItTakes(url);
    return {
      name: sourceId,
      pid: started.child.pid ?? 0,
      url,
      [Symbol.asyncDispose]: () => leave(started),
    };
  }

  /** A source with events and a sink of six columns, which nobody has mapped. */
  async filled(sourceId: string, events: number, { partitions = 1, log = this.log } = {}): Promise<FilledSource> {
    const shop = this.shop(sourceId);
    const sink = { sinkId: 'rows', tableId: 'in.c-bench.rows', columns };
    await makeSource(shop, { sourceId, partitions });
    await shop.createSink(sink);
    await shop.set(shop.path, {
      uploadCount: recordsPerObject,
      uploadInterval: '5m',
      importCount: 1,
      importInterval: '30s',
    });
    const source = `source.1.${sourceId}`;
    for (let partition = 0; partition < partitions; partition += 1)
      await fill(log, { topic: source, partition }, events / partitions);
    const [sinkTopic = ''] = await this.log.listTopics(`sink.1.${sourceId}.`, never);
    return { shop, source, sinkTopic };
  }

  /** Bytes of a topic on the brokers' disks. */
  async bytesOf(topic: string): Promise<number> {
    return (await this.log.ranges(topic, never)).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async endOf(topic: string): Promise<number> {
    return (await this.log.ranges(topic, never)).reduce((sum, { durableEnd }) => sum + durableEnd, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export interface IngestChoices {
  readonly partitions?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface FilledSource {
  readonly shop: Shop;
  readonly source: string;
  readonly sinkTopic: string;
}

async function makeSource(
  { api }: Shop,
  { sourceId, partitions }: { readonly sourceId: string; readonly partitions: number },
): Promise<void> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: sourceId, sourceId, partitions });
}

/** A new source is known to the others a moment later. */
async function untilItTakes(url: URL): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  for (;;) {
    const { ok } = await fetch(url, { method: 'POST', headers, body: '{}' });
    if (ok) return;
    await pause(100);
  }
}

async function fill(
  log: EventLog,
  at: { readonly topic: string; readonly partition: number },
  count: number,
): Promise<void> {
  const headers = ['content-type', 'application/json'];
  const perAppend = 500;
  let next = 0;
  const append = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next += perAppend;
      const records = Array.from({ length: Math.min(perAppend, count - first) }, (_, index) => ({
        value: bodies[(first + index) % bodies.length] ?? Buffer.alloc(0),
        headers,
        timestamp: Date.now(),
      }));
      await log.append(at, records, never);
    }
  };
  await Promise.all([append(), append(), append()]);
}

const lookMs = 20;

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** How far it is: so many of all events; `isBegun` when that shows before the first of them is done. */
export type HowFar = () => Promise<{ readonly done: number; readonly isBegun?: boolean }>;

/** A process that stands still (SIGSTOP) unless it is measured, so that its work can be laid out for it. */
export class RoleProcess {
  readonly #process: ProductProcess;

  constructor(process: ProductProcess) {
    this.#process = process;
    process.kill('SIGSTOP');
  }

  get pid(): number {
    return this.#process.child.pid ?? 0;
  }

  /**
   * Lets it go on until all events are done. Its rate counts from the first sign of work: what it takes until it has noticed a new source
   * does not count.
   */
  async measure(events: number, howFar: HowFar): Promise<RoleWork> {
    return await measured(this.pid, events, async () => {
      this.#process.kill('SIGCONT');
      const work = await untilDone(events, howFar);
      this.#process.kill('SIGSTOP');
      return work;
    });
  }

  /** Lets it go on meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#process.kill('SIGCONT');
    try {
      return await work();
    } finally {
      this.#process.kill('SIGSTOP');
    }
  }
}

async function untilDone(
  events: number,
  howFar: HowFar,
): Promise<{ readonly events: number; readonly seconds: number }> {
  let [first, began] = [0, 0];
  for (;;) {
    const { done, isBegun = done > 0 } = await howFar();
    const now = performance.now();
    if (done >= events) {
      if (began === 0) throw new Error(`${events} events are too few: all were done before the first was seen`);
      return { events: events - first, seconds: (now - began) / 1000 };
    }
    if (isBegun && began === 0) [first, began] = [done, now];
    await pause(lookMs);
  }
}

/** What a process uses for the events of some work. */
export async function measured(
  pid: number,
  events: number,
  work: () => Promise<{ readonly events: number; readonly seconds: number }>,
): Promise<RoleWork> {
  const [before, serversBefore] = [await readProcessorTime(pid), await readServersTime()];
  const counted = await work();
  const used = timeBetween(before, await readProcessorTime(pid));
  const servers = serversBetween(serversBefore, await readServersTime());
  return {
    events,
    perSecond: counted.events / counted.seconds,
    used,
    microseconds: totalOf(used.all) / events,
    loaderShare: 0,
    servers: new Map([...servers].map(([server, time]) => [server, time / events])),
  };
}

/** In its orderly way. */
export async function leave(process: ProductProcess): Promise<void> {
  process.kill('SIGTERM');
  await process.ended;
}

/** A bare HTTP server chained to a raw produce, on a topic of its own. */
export async function startRawIngest({ cluster, log }: Lab, topic: string): Promise<LoadedSide> {
  await log.createTopic({ name: topic, partitions: 1 }, never);
  const entry = fileURLToPath(new URL('raw-ingest.ts', import.meta.url));
  const child = spawn(process.execPath, [quietDriver, entry, cluster.brokers, topic], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    name: 'raw',
    pid: child.pid ?? 0,
    url: new URL(`${(JSON.parse(line) as { ingest: string }).ingest}/x`),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
