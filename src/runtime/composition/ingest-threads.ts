import { isSamePlace } from '../../config/same-place.ts';
import type { SourceKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { PeriodicService } from '../../core/periodic-service.ts';
import { assertFree, sharesPlaces } from '../../listener/listen.ts';
import { lockPorts } from '../../listener/port-lock.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { tellFewConnections } from '../../telemetry/few-connections.ts';
import { tellPortTaken } from '../../telemetry/port-taken.ts';
import type { Supervise, Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { connectionShares } from './connection-shares.ts';
import type { Shared } from './main-services.ts';
import type { PlatformParts } from './platform.ts';
import type { MakeThread } from './role-threads.ts';
import { clearBounds, sharedBounds } from './shared-bounds.ts';
import type { EventPlaces, IngestSpec } from './thread-messages.ts';
import { ThreadDemand } from './thread-demand.ts';
import type { ThreadService } from './thread-service.ts';

/** An installation whose senders are many may need more; nobody is told of more than that. */
const fewConnections = 1000;

/** How often it is looked whether the threads that take events are enough. */
const lookMs = 1000;

/** How long another process may take between its look at a port and its listening there. */
const otherStartsMs = 30_000;

export interface IngestNeighbours {
  readonly hindrances: Pick<PlatformParts, 'hindrances' | 'listen'>;
  readonly supervise: Supervise;
  readonly makeThread: MakeThread;
}

/** The threads that take the events of a process; all listen at the same places. */
export interface IngestThreads {
  readonly threads: readonly Supervised<ThreadService>[];
  readonly places: EventPlaces;
  /** Resolves when no thread takes an event of the source any more. */
  readonly sendersRefused: (key: SourceKey, waiting: Waiting) => Promise<void>;
  /** Resolves when every thread knows the definitions of now, and at the latest when D7 wants them to. Never rejects. */
  readonly sendersServed: (waiting: Waiting) => Promise<void>;
}

/** Takes events from now on. A port that nobody has chosen is found by the first thread, for all. */
export async function startIngestThreads(
  shared: Shared,
  { hindrances, supervise, makeThread }: IngestNeighbours,
): Promise<IngestThreads> {
  const count = sharesPlaces ? shared.config.threads : 1;
  const isShared = count > 1;
  await using _ = await lockOf(shared, isShared);
  const spec = specOf(shared);
  const bounds = sharedBounds(count, {
    ingest: spec.connections.ingest.maxConnections,
    otlpGrpc: spec.connections.otlpGrpc.maxConnections,
  });
  // While the catalog is away, a thread takes events of what the process knows. In one process the catalog is never away.
  const known = shared.platform.spec.kind === 'cluster' ? () => shared.configuration.known : undefined;
  const demand = new ThreadDemand({ least: shared.config.leastIngestThreads, most: count });
  let places = await placesOf(shared, isShared);
  const threads: Supervised<ThreadService>[] = [];
  hindrances.listen(() => threads.forEach(({ current }) => current.hinder()));
  const start = (index: number): Supervised<ThreadService> => {
    const together = isShared ? { bounds, own: index } : undefined;
    const make = (): ThreadService =>
      makeThread('ingest', index, {
        ingest: { ...spec, places, together },
        hindrances: hindrances.hindrances,
        known,
        onEnded: () => clearBounds(bounds, index),
        ...(index < demand.needed ? {} : { until: (waiting) => demand.until(index, waiting) }),
      });
    const thread = supervise(make);
    threads.push(thread);
    return thread;
  };
  const first = start(0);
  await first.current.ready;
  const { places: found } = first.current;
  if (found === undefined) throw new MillraceError('internal.bug', 'the thread that takes events does not say where');
  // Whoever takes the place of a thread listens where its clients look for it.
  places = heldPlaces(places, found);
  for (let index = 1; index < count; index += 1) start(index);
  if (isShared) supervise(() => lookAfter(threads, demand));
  return {
    threads,
    places: found,
    sendersRefused: async (key, { signal }) => {
      await Promise.all(threads.map(({ current }) => current.sendersRefused(key, signal)));
    },
    sendersServed: async ({ signal }) => {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(limits.configurationLagMs)]);
      await Promise.all(threads.map(({ current }) => current.sendersServed(bound)));
    },
  };
}

/**
 * Of the threads that take events, those without which the process cannot be ready. One that may not begin, because of files of another
 * version, is not missed while another takes events: where many processes are updated at once, not all must leave the load balancer.
 */
export function missingTakers<Taker extends TakerState>(takers: readonly Taker[]): readonly Taker[] {
  const failed = takers.filter(({ failure }) => failure !== undefined);
  // One that has not begun because it is not needed takes none.
  const doesOne = takers.some(({ failure, current }) => failure === undefined && current.places !== undefined);
  return failed.filter(({ failure }) => !doesOne || failure?.code !== 'thread.otherBuild');
}

interface TakerState extends Pick<Supervised, 'failure'> {
  readonly current: Pick<ThreadService, 'places'>;
}

/** Has threads begin when those that take events are busy, and get their part of the connections. */
function lookAfter(threads: IngestThreads['threads'], demand: ThreadDemand): PeriodicService {
  let before: ReadonlySet<ThreadService> = new Set();
  const round = async (): Promise<void> => {
    const busy = new Map<ThreadService, number>();
    for (const { current } of threads) {
      const share = current.utilization();
      if (share !== undefined) busy.set(current, share);
    }
    demand.look([...busy.values()]);
    const listening = new Set(busy.keys());
    const hasMore = [...listening].some((thread) => !before.has(thread));
    if (hasMore) for (const thread of listening) if (before.has(thread)) thread.renew();
    before = listening;
  };
  return new PeriodicService({ id: 'ingest-demand', clock: systemClock, everyMs: lookMs, round });
}

function heldPlaces({ ingest, otlpGrpc }: IngestSpec['places'], found: EventPlaces): IngestSpec['places'] {
  return {
    ingest: { ...ingest, port: found.ingest.port },
    otlpGrpc: otlpGrpc && { ...otlpGrpc, port: found.otlpGrpc?.port ?? otlpGrpc.port },
  };
}

/** What every thread is told. */
function specOf(shared: Shared): Omit<IngestSpec, 'places'> {
  const { config, openFiles: files, telemetry } = shared;
  const { maxConnections: configured, maxConnectionsPerAddress, ...limits } = config.ingest;
  const shares = connectionShares(files, configured);
  if (files !== undefined && shares.ingest < (configured ?? fewConnections))
    tellFewConnections(telemetry, { configured, files, connections: shares.ingest });
  const connections = (most: number): IngestSpec['connections']['ingest'] => ({
    maxConnections: most,
    maxConnectionsPerAddress: maxConnectionsPerAddress ?? Math.ceil(most / 2),
  });
  return {
    projectId: config.projectId,
    limits,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    connections: { ingest: connections(shares.ingest), otlpGrpc: connections(shares.otlpGrpc) },
  };
}

/** Held until the first thread listens: two processes that start at once would both find the ports free, and share them. */
async function lockOf({ config }: Shared, isShared: boolean): Promise<AsyncDisposable | undefined> {
  if (!isShared) return undefined;
  const ports = new Set([config.ingest.port, config.otlpGrpc.port]);
  const { signal } = new AbortController();
  return lockPorts([...ports], { clock: systemClock, patienceMs: otherStartsMs, signal });
}

/**
 * Where the threads are to listen. A port that they share is looked at first: another process that shares it would get a part of the events
 * without a word. A port that nobody asked for is not worth a process that does not start: it is left out, and told, where it is taken,
 * also by another listener of this process.
 */
async function placesOf({ config, telemetry, platform }: Shared, isShared: boolean): Promise<IngestSpec['places']> {
  const ingest = { host: config.ingest.host, port: config.ingest.port, isShared };
  if (isShared) await assertFree(ingest, { name: 'ingest' });
  const { isAsked, ...asked } = config.otlpGrpc;
  const otlpGrpc = { ...asked, isShared };
  const others = [ingest, platform.roles.has('admin') ? config.admin : config.ops];
  try {
    if (isAsked || !others.some((other) => isSamePlace(other, asked))) {
      await assertFree(otlpGrpc, { name: 'otlp-grpc' });
      return { ingest, otlpGrpc };
    }
  } catch (thrown) {
    if (isAsked) throw thrown;
  }
  tellPortTaken(telemetry, asked);
  return { ingest, otlpGrpc: undefined };
}
