import { randomBytes } from 'node:crypto';
import { createApi, type ApiService } from '../../api/create-api.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Service } from '../../core/service.ts';
import type { Source } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { ingestDefaults } from '../../stages/ingest/exchange/ingest-config.ts';
import { createIngest, type IngestService } from '../../stages/ingest/exchange/ingest-service.ts';
import { observeIngest } from '../../telemetry/observe-ingest.ts';
import { ReplicaDirectory } from '../../stages/ingest/accept/replica-directory.ts';
import type { Measure } from '../../stages/measure/measure.ts';
import type { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { productVersion } from '../version.ts';
import { tablesOf, type Shared } from './main-services.ts';
import type { Ops } from './ops-handlers.ts';
import { OpsService } from './ops-service.ts';
import type { SourceHindrances } from './platform.ts';
import { superviseListener, type Place, type SupervisedListener } from './supervise-listener.ts';
import type { ThreadService } from './thread-service.ts';

export type Supervise = <Kind extends Service>(make: () => Kind) => Supervised<Kind>;

export interface IngestNeighbours {
  readonly hindrances: SourceHindrances;
  readonly supervise: Supervise;
}

/** Takes events from now on. */
export function listenForEvents(
  shared: Shared,
  { hindrances, supervise }: IngestNeighbours,
): Promise<SupervisedListener<IngestService>> {
  const { config, ports, configuration, telemetry } = shared;
  const sources = new ReplicaDirectory({
    configuration,
    projectId: config.projectId,
    refusal: hindrances.refusalOf,
  });
  hindrances.listen(() => sources.changed());
  const make = (place: Place): IngestService =>
    createIngest({
      log: ports.sourceLog,
      sources,
      clock: systemClock,
      telemetry: observeIngest(telemetry),
      config: {
        ...ingestDefaults,
        ...config.ingest,
        ...place,
        trustedProxies: config.trustedProxies,
        corsOrigins: config.corsOrigins,
      },
    });
  return superviseListener({ make, place: config.ingest, supervise });
}

export interface AdminNeighbours {
  readonly ingestUrl: string;
  /** Of this process, when it has the role. */
  readonly ingest: Supervised<IngestService> | undefined;
  readonly stage: Supervised<ThreadService> | undefined;
  readonly ops: Ops;
  readonly measure: Measure;
  readonly supervise: Supervise;
}

/** Serves the management API and the operator's pages from now on. */
export function listenForCommands(
  shared: Shared,
  neighbours: AdminNeighbours,
): Promise<SupervisedListener<ApiService>> {
  const { config, ports, claims, telemetry, platform, rootTokenHash } = shared;
  const { ingestUrl, ingest, stage, ops, measure, supervise } = neighbours;
  const { publicUrl, advertisedUrl } = config.admin;
  const tables = tablesOf(platform);
  const make = ({ host, port }: Place): ApiService =>
    createApi({
      ...ports,
      tables,
      ledger: tables,
      pages: tables,
      ownership: claims,
      holdings: claims,
      clock: systemClock,
      random: randomBytes,
      templates: createTemplates(config.templates),
      config: {
        version: productVersion,
        projectId: config.projectId,
        host,
        port,
        ...(publicUrl === undefined ? {} : { publicAdminUrl: () => publicUrl }),
        publicIngestUrl: () => ingestUrl,
        trustedProxies: config.trustedProxies,
        partitions: config.partitions,
        corsOrigins: config.corsOrigins,
        owner: unique(),
        ...(advertisedUrl === undefined ? {} : { advertisedUrl }),
        handoverMs: platform.othersLagMs,
      },
      rootTokenHash,
      standstillOf: measure.standstillOf,
      retentionUsedBy: measure.retentionUsedBy,
      ops,
      telemetry,
      sendersRefused: (key, options) => sendersRefused(shared, { key, ingest, ...options }),
      ...(stage === undefined ? {} : { openSlices: () => stage.current.openSlices(AbortSignal.timeout(1000)) }),
    });
  return superviseListener({ make, place: config.admin, supervise });
}

/** Serves the operator's pages of a process without the API. */
export function listenForOperators(
  { config }: Shared,
  { ops, supervise }: Pick<AdminNeighbours, 'ops' | 'supervise'>,
): Promise<SupervisedListener<OpsService>> {
  return superviseListener({ make: (place) => new OpsService(ops, place), place: config.ops, supervise });
}

interface Senders extends Waiting {
  readonly key: SourceKey;
  readonly ingest: Supervised<IngestService> | undefined;
}

/** Resolves when this process refuses the source's senders, and others had the time to see why. */
async function sendersRefused({ configuration, platform }: Shared, { key, ingest, signal }: Senders): Promise<void> {
  while (takesEvents(configuration.sourceOf(key))) await systemClock.sleep(5, { signal });
  await ingest?.current.settled({ signal });
  if (platform.othersLagMs > 0) await systemClock.sleep(platform.othersLagMs, { signal });
}

/** As the replica of this process has it, which is what ingest goes by. */
function takesEvents(source: Source | undefined): boolean {
  return source !== undefined && source.disabled === undefined && source.deleted === undefined;
}
