import type { Config } from '../../config/config.ts';
import { PeriodicService, type PeriodicOptions } from '../../core/periodic-service.ts';
import type { Service } from '../../core/service.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { Configuration } from '../../stages/replica/configuration.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { processReady, serviceFailed } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { Following } from '../following.ts';
import { SinkGauges } from '../sink-gauges.ts';
import { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { productVersion } from '../version.ts';
import type { DataFolder } from './data-folder.ts';
import { drainParts } from './drain-parts.ts';
import { DiskGuard } from './disk-guard.ts';
import { openEmbeddedPorts } from './embedded-ports.ts';
import { listenForCommands, listenForEvents, type Supervise } from './listeners.ts';
import { collectorOf, importService, retentionOf, retiredTopicsOf, type Shared } from './main-services.ts';
import { createOps } from './ops-handlers.ts';
import type { Place } from './supervise-listener.ts';
import type { Decorate } from './thread.ts';
import type { ThreadSpec } from './thread-messages.ts';
import { ThreadService } from './thread-service.ts';

export interface ComposeOptions {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly tables: TableStore;
  /** SHA-256, hexadecimal. */
  readonly rootTokenHash: string;
  readonly decorate: Decorate;
  readonly threadEntry: URL;
}

/** The parts of an embedded process, running. */
export interface Composed extends AsyncDisposable {
  /** Base addresses. */
  readonly admin: string;
  readonly ingest: string;
  /** Refuses new events, finishes what was accepted, closes slices; false when the deadline came first. */
  drain(cause: string, deadlineMs: number): Promise<boolean>;
}

const retry = { firstMs: 200, capMs: 30_000 };
const reserveBytes = 64 * 1024 ** 2;

/**
 * The composition root of the embedded process: its parts and what each is given, from top to bottom. The main thread takes
 * events, imports and serves the API; mapping and staging have threads of their own.
 */
export async function compose(options: ComposeOptions): Promise<Composed> {
  const { config, folder } = options;
  const aborter = new AbortController();
  const { signal } = aborter;
  await using stack = new AsyncDisposableStack();
  const shared = await openShared(options, stack, signal);
  const { ports, configuration, telemetry } = shared;
  const supervise: Supervise = (make) => stack.use(supervised(make, telemetry, signal));

  const following = supervise(() => new Following(configuration));
  const map = supervise(() => roleThread('map', options));
  const stage = supervise(() => roleThread('stage', options));
  const imports = supervise(() => importService(shared));
  const disk = new DiskGuard({ path: folder.path, reserveBytes });
  await disk.look();
  const retention = retentionOf(shared);
  await retention.round({ signal });
  const collector = collectorOf(shared);
  const retiredTopics = retiredTopicsOf(shared);
  const gauges = new SinkGauges({ ...ports, configuration, clock: systemClock, telemetry });
  const periodically = (id: string, everyMs: number, round: PeriodicOptions['round']): void =>
    void supervise(() => new PeriodicService({ id, clock: systemClock, everyMs, round }));
  periodically('disk-guard', 1000, () => disk.look());
  periodically('retention', 5000, (waiting) => retention.round(waiting));
  periodically('collector', 30_000, (waiting) => collector.collect(waiting));
  periodically('retired-topics', 5000, (waiting) => retiredTopics.round(waiting));
  periodically('gauges', 5000, (waiting) => gauges.measure(waiting));

  const life = { isReady: false };
  const ingest = await listenForEvents(shared, { disk, retention, supervise });
  const events = ingest.supervised;
  const ingestUrl = config.ingest.publicUrl ?? urlOf(ingest.address);
  const needed = { configuration: following, ingest: events, import: imports, map, stage };
  const hindrances = (): readonly string[] => hindrancesOf(life.isReady, needed);
  const ops = createOps({ telemetry, threads: () => [map.current, stage.current], hindrances });
  const admin = await listenForCommands(shared, { ingestUrl, ingest: events, stage, ops, supervise });
  await Promise.all([map.current.ready, stage.current.ready, admin.supervised.current.ready]);
  life.isReady = true;
  const adminUrl = config.admin.publicUrl ?? urlOf(admin.address);
  processReady(telemetry, {
    version: productVersion(),
    admin: adminUrl,
    ingest: ingestUrl,
    dataDir: folder.path,
    seconds: process.uptime(),
  });

  stack.defer(() => aborter.abort());
  const held = stack.move();
  const drainOrder = [events, map, stage, imports, admin.supervised];
  return {
    admin: adminUrl,
    ingest: ingestUrl,
    drain: (cause, deadlineMs) => {
      life.isReady = false;
      return drainParts(drainOrder, { telemetry, cause, deadlineMs });
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** What the services of this thread have in common: telemetry, open ports, and the configuration as it is now. */
async function openShared(options: ComposeOptions, stack: AsyncDisposableStack, signal: AbortSignal): Promise<Shared> {
  const { config, folder, decorate } = options;
  const telemetry = createTelemetry({ main: true, level: config.logLevel, role: 'main' });
  const ports = decorate(await openEmbeddedPorts(folder, { instance: 'main', first: true }, stack));
  const configuration = new Configuration({
    catalog: ports.catalog,
    onInvalid: (id, error) => telemetry.log.error({ id, err: error }, 'document cannot be read'),
  });
  await configuration.load({ signal });
  return { ...options, ports, configuration, telemetry };
}

/** What keeps the process from being ready; empty when it is. */
function hindrancesOf(isReady: boolean, parts: Readonly<Record<string, Supervised>>): readonly string[] {
  const failing = Object.entries(parts).filter(([, { isHealthy }]) => !isHealthy);
  return [
    ...(isReady ? [] : ['the process starts or drains']),
    ...failing.map(([name]) => `"${name}" failed and starts again`),
  ];
}

function supervised<Kind extends Service>(
  make: () => Kind,
  telemetry: Telemetry,
  signal: AbortSignal,
): Supervised<Kind> {
  return new Supervised(make, {
    clock: systemClock,
    random: Math.random,
    retry,
    onFailure: (failure) => serviceFailed(telemetry, failure),
    signal,
  });
}

function roleThread(role: ThreadSpec['role'], { config, folder, threadEntry }: ComposeOptions): ThreadService {
  return new ThreadService({ role, instance: role, dataDir: folder.path, logLevel: config.logLevel }, threadEntry);
}

function urlOf({ host, port }: Place): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
