import { randomBytes } from 'node:crypto';
import { createApi, type ApiService } from '../../api/create-api.ts';
import type { SourceKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import type { Source, SourceType } from '../../core/source.ts';
import type { Config } from '../../config/config.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { acceptDefaults } from '../../stages/ingest/accept/accept-limits.ts';
import { createAcceptor, type Acceptor } from '../../stages/ingest/accept/acceptor.ts';
import type { IngestListener } from '../../stages/ingest/accept/ingest-listener.ts';
import type { Face } from '../../stages/ingest/exchange/face.ts';
import { httpDefaults } from '../../stages/ingest/exchange/http-config.ts';
import { createHttpIngest } from '../../stages/ingest/exchange/http-ingest.ts';
import { createHttpFace } from '../../stages/ingest/http/face.ts';
import { createOtlpGrpcIngest } from '../../stages/ingest/otlp-grpc/otlp-grpc-ingest.ts';
import { createOtlpFace } from '../../stages/ingest/otlp-http/face.ts';
import { tellFewConnections } from '../../telemetry/few-connections.ts';
import { observeIngest } from '../../telemetry/observe-ingest.ts';
import { requestSpans } from '../../telemetry/request-spans.ts';
import { tellPortTaken } from '../../telemetry/port-taken.ts';
import { ReplicaDirectory } from '../../stages/ingest/accept/replica-directory.ts';
import type { Measure } from '../../stages/measure/measure.ts';
import type { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { productVersion } from '../version.ts';
import { connectionShares } from './connection-shares.ts';
import { defaultsOf } from './defaults-of.ts';
import { tablesOf, type Shared } from './main-services.ts';
import type { Ops } from './ops-handlers.ts';
import { OpsService } from './ops-service.ts';
import type { SourceHindrances } from './platform.ts';
import { runsJobsOf } from './runs-jobs-of.ts';
import { superviseListener, type ListenerOptions, type Place, type SupervisedListener } from './supervise-listener.ts';
import type { ThreadService } from './thread-service.ts';

/** An installation whose senders are many may need more; nobody is told of more than that. */
const fewConnections = 1000;

export type Supervise = <Kind extends Service>(make: () => Kind) => Supervised<Kind>;

export interface IngestNeighbours {
  readonly hindrances: SourceHindrances;
  readonly supervise: Supervise;
}

/** A listener for events, running. */
export interface EventListener extends SupervisedListener<IngestListener> {
  /** As the ready line and readiness call it. */
  readonly name: 'ingest' | 'otlpGrpc';
}

/** Takes events from now on, at all listeners of the process; they share one accept core. */
export async function listenForEvents(
  shared: Shared,
  { hindrances, supervise }: IngestNeighbours,
): Promise<readonly EventListener[]> {
  const { config, telemetry } = shared;
  const acceptor = acceptorOf(shared, hindrances);
  const { openFiles: files } = shared;
  const configured = config.ingest.maxConnections;
  const shares = connectionShares(files, configured);
  const { ingest: connections } = shares;
  if (files !== undefined && connections < (configured ?? fewConnections))
    tellFewConnections(telemetry, { configured, files, connections });
  const http = httpIngestOf(shared, { acceptor, connections });
  const ingest = {
    name: 'ingest',
    ...(await superviseListener({ make: http, place: config.ingest, supervise })),
  } as const;
  const grpc = otlpGrpcOf(shared, { acceptor, connections: shares.otlpGrpc });
  const otlpGrpc = await listenUnlessTaken(shared, { make: grpc, place: config.otlpGrpc, supervise });
  return otlpGrpc === undefined ? [ingest] : [ingest, { name: 'otlpGrpc', ...otlpGrpc }];
}

/** A port that nobody asked for is not worth a process that does not start: undefined, and told, where it cannot be had. */
async function listenUnlessTaken(
  { config, telemetry }: Shared,
  options: ListenerOptions<IngestListener>,
): Promise<SupervisedListener<IngestListener> | undefined> {
  const { isAsked, ...place } = config.otlpGrpc;
  try {
    return await superviseListener(options);
  } catch (thrown) {
    if (isAsked || !(thrown instanceof MillraceError) || thrown.code !== 'config.invalid') throw thrown;
    tellPortTaken(telemetry, place);
    return undefined;
  }
}

function acceptorOf({ config, ports, configuration, telemetry }: Shared, hindrances: SourceHindrances): Acceptor {
  const sources = new ReplicaDirectory({
    configuration,
    projectId: config.projectId,
    refusal: hindrances.refusalOf,
  });
  hindrances.listen(() => sources.changed());
  return createAcceptor({
    log: ports.sourceLog,
    sources,
    clock: systemClock,
    telemetry: observeIngest(telemetry),
    spans: telemetry.spans && requestSpans(telemetry.spans, systemClock),
    limits: { ...acceptDefaults, ...config.ingest },
  });
}

/** Who takes the events of sources of a type, over HTTP. */
const faceOf: Readonly<Record<SourceType, (acceptor: Acceptor, config: Config['ingest']) => Face>> = {
  http: createHttpFace,
  otlp: (acceptor, { maxOtlpBodyBytes: maxBodyBytes }) => createOtlpFace(acceptor, { maxBodyBytes }),
};

/** HTTP, with every face that comes over it. */
function httpIngestOf(
  { config }: Shared,
  { acceptor, connections }: { readonly acceptor: Acceptor; readonly connections: number },
): (place: Place) => IngestListener {
  const { trustedProxies, corsOrigins } = config;
  const faces = Object.values(faceOf).map((create) => create(acceptor, config.ingest));
  const ofAddress = config.ingest.maxConnectionsPerAddress ?? Math.ceil(connections / 2);
  const bounds = { maxConnections: connections, maxConnectionsPerAddress: ofAddress };
  return (place) =>
    createHttpIngest({
      acceptor,
      faces,
      config: { ...httpDefaults, ...config.ingest, ...place, ...bounds, trustedProxies, corsOrigins },
    });
}

/** OTLP over gRPC, which has a port of its own. */
function otlpGrpcOf(
  { config }: Shared,
  { acceptor, connections }: { readonly acceptor: Acceptor; readonly connections: number },
): (place: Place) => IngestListener {
  const { trustedProxies, projectId } = config;
  const { maxOtlpBodyBytes: maxBodyBytes, maxConnectionsPerAddress, requestTimeoutMs, idleTimeoutMs } = config.ingest;
  const bounds = {
    maxConnections: connections,
    maxConnectionsPerAddress: maxConnectionsPerAddress ?? Math.ceil(connections / 2),
  };
  return (place) =>
    createOtlpGrpcIngest({
      acceptor,
      projectId,
      config: { ...place, ...bounds, maxBodyBytes, requestTimeoutMs, idleTimeoutMs, trustedProxies },
    });
}

export interface AdminNeighbours {
  readonly ingestUrl: string;
  /** Of this process; none without the role. */
  readonly events: readonly EventListener[];
  readonly stage: Supervised<ThreadService> | undefined;
  readonly ops: Ops;
  readonly measure: Measure;
  readonly supervise: Supervise;
}

/** Serves the management API and the operator's pages from now on. */
export async function listenForCommands(
  shared: Shared,
  neighbours: AdminNeighbours,
): Promise<SupervisedListener<ApiService>> {
  const { config, ports, claims, telemetry, platform, rootTokenHash, secretKeys, trials, workers, samplingClock } =
    shared;
  const { ingestUrl, events, stage, ops, measure, supervise } = neighbours;
  const { publicUrl, advertisedUrl } = config.admin;
  const tables = tablesOf(platform);
  const { admin: maxConnections } = connectionShares(shared.openFiles, config.ingest.maxConnections);
  const make = ({ host, port }: Place): ApiService =>
    createApi({
      ...ports,
      tables,
      ledger: tables,
      loads: tables,
      localFolder: platform.localFolder,
      runsJobs: runsJobsOf(platform),
      workers,
      pages: tables,
      letters: tables,
      ownership: claims,
      holdings: claims,
      hasOwnLog: platform.spec.kind === 'embedded',
      ...(platform.backups === undefined ? {} : { backups: platform.backups }),
      defaults: defaultsOf(config),
      clock: systemClock,
      ...(samplingClock === undefined ? {} : { samplingClock }),
      random: randomBytes,
      trials,
      config: {
        version: productVersion,
        projectId: config.projectId,
        host,
        port,
        maxConnections,
        ...(publicUrl === undefined ? {} : { publicAdminUrl: () => publicUrl }),
        publicIngestUrl: () => ingestUrl,
        trustedProxies: config.trustedProxies,
        maxBodyBytes: config.ingest.maxBodyBytes,
        partitions: config.partitions,
        corsOrigins: config.corsOrigins,
        owner: unique(),
        ...(advertisedUrl === undefined ? {} : { advertisedUrl }),
        handoverMs: platform.othersLagMs,
      },
      rootTokenHash,
      secretKeys,
      standstillOf: measure.standstillOf,
      retentionUsedBy: measure.retentionUsedBy,
      standings: measure.standings,
      ops,
      telemetry,
      sendersRefused: (key, options) => sendersRefused(shared, { key, events, ...options }),
      ...(stage === undefined ? {} : { openSlices: () => stage.current.openSlices(AbortSignal.timeout(1000)) }),
    });
  return superviseListener({ make, place: config.admin, supervise });
}

/** Serves the operator's pages of a process without the API. */
export function listenForOperators(
  { config, openFiles }: Shared,
  { ops, supervise }: Pick<AdminNeighbours, 'ops' | 'supervise'>,
): Promise<SupervisedListener<OpsService>> {
  const { admin: maxConnections } = connectionShares(openFiles, config.ingest.maxConnections);
  const make = (place: Place): OpsService => new OpsService(ops, { ...place, maxConnections });
  return superviseListener({ make, place: config.ops, supervise });
}

interface Senders extends Waiting {
  readonly key: SourceKey;
  readonly events: readonly EventListener[];
}

/** Resolves when this process refuses the source's senders, and others had the time to see why. */
async function sendersRefused({ configuration, platform }: Shared, { key, events, signal }: Senders): Promise<void> {
  while (takesEvents(configuration.sourceOf(key))) await systemClock.sleep(5, { signal });
  await Promise.all(events.map(({ supervised }) => supervised.current.settled({ signal })));
  if (platform.othersLagMs > 0) await systemClock.sleep(platform.othersLagMs, { signal });
}

/** As the replica of this process has it, which is what ingest goes by. */
function takesEvents(source: Source | undefined): boolean {
  return source !== undefined && source.disabled === undefined && source.deleted === undefined;
}
