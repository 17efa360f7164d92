import type { Role } from '../../config/topology/role.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { PeriodicService, type Round } from '../../core/periodic-service.ts';
import type { Service } from '../../core/service.ts';
import { SeenWorkers } from '../../core/workforce.ts';
import { beginHere } from '../../stages/claims/require-here.ts';
import { checkSupported } from '../../stages/import/supported-ledger.ts';
import { Measure } from '../../stages/measure/measure.ts';
import { Configuration } from '../../stages/replica/configuration.ts';
import { processBroken, processReady, serviceFailed } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { unreadDocument } from '../../telemetry/unread-document.ts';
import type { Breakdown } from '../breakdown.ts';
import { Following } from '../following.ts';
import { brokenExitCode, type Listeners } from '../product.ts';
import { Supervised, type Supervise } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { remapLimits, TrialThread } from '../trials/trial-thread.ts';
import { productVersion } from '../version.ts';
import { diskSpace } from './disk-space.ts';
import { drainParts, type Drainable } from './drain-parts.ts';
import { missingTakers, startIngestThreads } from './ingest-threads.ts';
import { listenForCommands, listenForOperators, type AdminNeighbours } from './listeners.ts';
import { claimsOf } from './claims-of.ts';
import type { ComposeOptions } from './compose-options.ts';
import { mostOpenFiles } from './connection-shares.ts';
import {
  collectorOf,
  fileCollectorOf,
  importService,
  retiredTopicsOf,
  tablesOf,
  type Shared,
} from './main-services.ts';
import { defaultsOf } from './defaults-of.ts';
import { observedPorts } from './observed-ports.ts';
import { spanTargetOf, withSpans } from './open-spans.ts';
import { createOps } from './ops-handlers.ts';
import { namesOf } from './names-of.ts';
import type { Platform, PlatformParts } from './platform.ts';
import { roleThreads, workThread } from './role-threads.ts';
import { runsJobsOf } from './runs-jobs-of.ts';
import type { Place } from './supervise-listener.ts';
import type { EventPlaces } from './thread-messages.ts';
import type { ThreadService } from './thread-service.ts';
import { timedTables } from './timed-store.ts';
import { mainSilentMs, Watchdog } from './watchdog.ts';
import { serviceRetry } from '../service-retry.ts';
import { within } from './within.ts';

/** The parts of a process, running. */
export interface Composed extends AsyncDisposable {
  readonly listeners: Listeners;
  /** Resolves when the process must end, once senders are refused and those that wait have an answer. */
  readonly failed: Promise<MillraceError>;
  /** Refuses new events, finishes what was accepted, closes slices; false when the deadline came first. */
  drain(cause: string, deadlineMs: number): Promise<boolean>;
}

/** For the answers to senders that wait when the process must end. */
const lastAnswersMs = 3000;

/**
 * The composition root: the parts of a process and what each is given, from top to bottom, for the roles that the process
 * has. The main thread imports and serves the API; taking events, mapping and staging have threads of their own.
 */
export async function compose(given: ComposeOptions): Promise<Composed> {
  const aborter = new AbortController();
  await using stack = new AsyncDisposableStack();
  const options = { ...given, telemetry: await withSpans(given.telemetry, spanTargetOf(given, 'main'), stack) };
  const { config, telemetry, platform, breakdown } = options;
  const shared = await share({ ...options, ...trialThreads(config, stack) }, aborter.signal);
  stack.use(watchdog(options, telemetry));
  const has = (role: Role): boolean => platform.roles.has(role);
  const supervise: Supervise = (make) => stack.use(supervised(make, telemetry, aborter.signal));

  const following = supervise(() => new Following(shared.configuration));
  const makeThread = roleThreads(options);
  const threadsOf = (role: 'map' | 'stage'): readonly Supervised<ThreadService>[] =>
    Array.from({ length: has(role) ? config.threads : 0 }, (_, index) => supervise(() => makeThread(role, index)));
  const maps = threadsOf('map');
  const stages = threadsOf('stage');
  const imports = has('import') ? supervise(() => importService(shared)) : undefined;
  const work = has('work') ? supervise(() => workThread(shared, makeThread)) : undefined;
  const hindrances = await platform.start(shared, aborter.signal);
  const measure = has('admin') ? measureOf(shared, hindrances) : undefined;
  for (const round of [...hindrances.rounds, ...roundsOf(shared), ...(measure?.rounds ?? [])])
    supervise(() => new PeriodicService({ ...round, clock: systemClock }));

  const life = { isReady: false };
  const events = has('ingest') ? await startIngestThreads(shared, { hindrances, supervise, makeThread }) : undefined;
  const heard = heardAt(events?.places, config);
  const ingestUrl = config.ingest.publicUrl ?? heard.ingest;
  const takers = events?.threads ?? [];
  const others = [...maps, ...stages, ...(work === undefined ? [] : [work])];
  const needed = [goesOnWithoutCatalog(platform) ? undefined : following, imports, ...others];
  const threads = [...takers, ...others];
  const ops = createOps({
    telemetry,
    publicUrl: config.admin.publicUrl,
    threads: () => threads.map(({ current }) => current),
    hindrances: () => [
      ...hindrancesOf(life.isReady, [...needed, ...missingTakers(takers)], threads),
      ...shared.claims.hindrances.concat(hindrances.unready(), endingOf(breakdown)),
    ],
    names: () => namesOf(shared.configuration),
  });
  const serving = await serve(shared, { ingestUrl, events, stages, ops, measure, supervise });
  await Promise.all([...threads.map(({ current }) => current.ready), serving.supervised.current.ready]);
  life.isReady = true;
  const listeners = { ...serving.listeners, ...heard };
  processReady(telemetry, { version: productVersion, ...listeners, ...startOf(config) });

  stack.defer(() => aborter.abort());
  const held = stack.move();
  const passed = [together(takers), together(maps), together(stages), imports, serving.supervised];
  return {
    listeners,
    failed: failing(breakdown, { telemetry, takers }),
    drain: (cause, deadlineMs) => {
      life.isReady = false;
      return drainParts(drainOrder(passed, work), { telemetry, cause, deadlineMs });
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** For callers, and for what the process does itself. */
function trialThreads(
  { templates }: ComposeOptions['config'],
  stack: AsyncDisposableStack,
): Pick<Shared, 'trials' | 'remaps'> {
  return { trials: stack.use(new TrialThread(templates)), remaps: stack.use(new TrialThread(templates, remapLimits)) };
}

function startOf({ dataDir }: ComposeOptions['config']): { readonly dataDir: string; readonly seconds: number } {
  return { dataDir, seconds: process.uptime() };
}

/** While the catalog is away, ingest goes on with what it knows: its processes must not all leave the load balancer at once. */
function goesOnWithoutCatalog({ roles, spec }: Platform): boolean {
  return roles.has('ingest') && spec.kind === 'cluster';
}

/** Parts that events pass side by side. */
function together(parts: readonly Drainable[]): Drainable {
  return { drain: async () => void (await Promise.all(parts.map((part) => part.drain()))) };
}

/** The parts in the order in which events pass them. Jobs end, or are handed over, while events go on their way. */
function drainOrder(passed: readonly (Drainable | undefined)[], work: Drainable | undefined): readonly Drainable[] {
  const jobs = work?.drain();
  return [...passed, jobs && { drain: () => jobs }].filter((part) => part !== undefined);
}

function watchdog({ mainSilentMs: silentMs = mainSilentMs }: ComposeOptions, telemetry: Telemetry): Watchdog {
  return new Watchdog(silentMs, (thrown) => {
    const error = MillraceError.fromUnknown(thrown);
    serviceFailed(telemetry, { service: 'watchdog', error, attempt: 1, retryInMs: undefined });
  });
}

/** What the services of this thread have in common: open ports, and the configuration as it is now. */
async function share(
  options: ComposeOptions & Pick<Shared, 'trials' | 'remaps'>,
  signal: AbortSignal,
): Promise<Shared> {
  const { telemetry, decorate, breakdown } = options;
  const { tables } = options.platform;
  if (tables !== undefined) checkSupported(tables);
  const platform = { ...options.platform, tables: tables && timedTables(tables, telemetry) };
  const ports = observedPorts(decorate(platform.ports), { telemetry, joined: 'sinkLog' });
  const configuration = new Configuration({
    catalog: ports.catalog,
    onInvalid: unreadDocument(telemetry),
    defaults: defaultsOf(options.config),
  });
  const claims = claimsOf({ ...ports, tables: platform.tables }, { telemetry, onAstray: breakdown.report });
  await beginHere(ports.catalog, claims, { signal });
  await configuration.load({ signal });
  return {
    ...options,
    platform,
    ports,
    configuration,
    claims,
    workers: new SeenWorkers(),
    openFiles: await mostOpenFiles(),
  };
}

/** What looks at sinks from time to time, and is asked by the API what it saw. */
function measureOf(
  { platform, ports, configuration, telemetry, workers }: Shared,
  { limitsOf }: PlatformParts,
): Measure {
  return new Measure({
    ...ports,
    ledger: tablesOf(platform),
    configuration,
    clock: systemClock,
    telemetry,
    runsJobs: runsJobsOf(platform),
    workers,
    limitsOf,
  });
}

/** What the roles have to do from time to time. */
function roundsOf(shared: Shared): readonly Round[] {
  const { platform, claims, telemetry } = shared;
  const ofAll: readonly Round[] = [
    { id: 'claims', everyMs: 15_000, round: (waiting) => claims.look(waiting) },
    diskSpace(platform.localFolder, telemetry),
  ];
  if (!platform.roles.has('import')) return ofAll;
  const collector = collectorOf(shared);
  const files = fileCollectorOf(shared);
  const retiredTopics = retiredTopicsOf(shared);
  return [
    ...ofAll,
    { id: 'collector', everyMs: 30_000, round: (waiting) => collector.collect(waiting) },
    { id: 'files', everyMs: 60_000, round: (waiting) => files.collect(waiting) },
    { id: 'retired-topics', everyMs: 5000, growing: true, round: (waiting) => retiredTopics.round(waiting) },
  ];
}

interface Serving {
  readonly supervised: Supervised;
  readonly listeners: Listeners;
}

type ServingNeighbours = Omit<AdminNeighbours, 'ingestUrl' | 'measure'> & {
  readonly ingestUrl: string | undefined;
  /** Of a process with the role admin. */
  readonly measure: Measure | undefined;
};

/** The API with the operator's pages; in a process without the role admin these pages alone. */
async function serve(shared: Shared, { ingestUrl, measure, ...neighbours }: ServingNeighbours): Promise<Serving> {
  if (measure === undefined) {
    const { supervised, address } = await listenForOperators(shared, neighbours);
    return { supervised, listeners: { ops: urlOf(address) } };
  }
  if (ingestUrl === undefined) throw noIngest();
  const { supervised, address } = await listenForCommands(shared, { ingestUrl, measure, ...neighbours });
  return { supervised, listeners: { admin: shared.config.admin.publicUrl ?? urlOf(address) } };
}

function noIngest(): MillraceError {
  const message =
    'MILLRACE_PUBLIC_INGEST_URL: must be set in a process with the role admin and without the role ingest, because the API tells senders where to post';
  return new MillraceError('config.invalid', message);
}

/** What keeps the process from being ready; empty when it is. */
function hindrancesOf(
  isReady: boolean,
  parts: readonly (Supervised | undefined)[],
  threads: readonly Supervised<ThreadService>[],
): readonly string[] {
  const failing = parts.flatMap((part) =>
    part?.failure === undefined ? [] : [`"${part.current.id}" failed and starts again: ${part.failure.message}`],
  );
  const inThreads = threads.flatMap(({ current }) => current.failures);
  return [...(isReady ? [] : ['the process starts or drains']), ...failing, ...inThreads];
}

function endingOf({ error }: Breakdown): readonly string[] {
  return error === undefined ? [] : [`the process ends: ${error.message}`];
}

/** Resolves with what ends the process, when its senders have an answer or had the time for one. */
async function failing(
  breakdown: Breakdown,
  { telemetry, takers }: { readonly telemetry: Telemetry; readonly takers: readonly Supervised[] },
): Promise<MillraceError> {
  const error = await breakdown.happened;
  processBroken(telemetry, { error, exitCode: brokenExitCode });
  await within(lastAnswersMs, async () => void (await Promise.all(takers.map((taker) => taker.drain()))));
  return error;
}

function supervised<Kind extends Service>(
  make: () => Kind,
  telemetry: Telemetry,
  signal: AbortSignal,
): Supervised<Kind> {
  return new Supervised(make, {
    clock: systemClock,
    retry: serviceRetry,
    onFailure: (failure) => serviceFailed(telemetry, failure),
    signal,
  });
}

/** Where senders reach each listener for events of this process. */
function heardAt(
  places: EventPlaces | undefined,
  { ingest: { publicUrl } }: Shared['config'],
): Pick<Listeners, 'ingest' | 'otlpGrpc'> {
  if (places === undefined) return {};
  const { ingest, otlpGrpc } = places;
  return {
    ingest: publicUrl ?? urlOf(ingest),
    ...(otlpGrpc === undefined ? {} : { otlpGrpc: urlOf(otlpGrpc) }),
  };
}

function urlOf({ host, port }: Place): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
