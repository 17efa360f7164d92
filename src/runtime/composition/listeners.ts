import { randomBytes } from 'node:crypto';
import { createApi, type ApiService } from '../../api/create-api.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { takesEvents } from '../../core/takes-events.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Measure } from '../../stages/measure/measure.ts';
import type { Supervise, Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { productVersion } from '../version.ts';
import { connectionShares } from './connection-shares.ts';
import { defaultsOf } from './defaults-of.ts';
import { tablesOf, type Shared } from './main-services.ts';
import type { IngestThreads } from './ingest-threads.ts';
import type { Ops } from './ops-handlers.ts';
import { OpsService } from './ops-service.ts';
import { runsJobsOf } from './runs-jobs-of.ts';
import { superviseListener, type Place, type SupervisedListener } from './supervise-listener.ts';
import type { ThreadService } from './thread-service.ts';

export interface AdminNeighbours {
  readonly ingestUrl: string;
  /** Of this process; absent without the role. */
  readonly events: Pick<IngestThreads, 'sendersRefused' | 'sendersServed'> | undefined;
  readonly stages: readonly Supervised<ThreadService>[];
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
  const { ingestUrl, events, stages, ops, measure, supervise } = neighbours;
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
        maxSources: config.maxSources,
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
      sendersRefused: (key, options) => sendersRefused(shared, events, { key, ...options }),
      ...(events === undefined ? {} : { sendersServed: events.sendersServed }),
      ...(stages.length === 0 ? {} : { openSlices: () => openSlicesOf(stages) }),
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

async function openSlicesOf(stages: readonly Supervised<ThreadService>[]): Promise<readonly OpenSliceState[]> {
  const signal = AbortSignal.timeout(1000);
  return (await Promise.all(stages.map(({ current }) => current.openSlices(signal)))).flat();
}

/** Resolves when this process refuses the source's senders, and others had the time to see why. */
async function sendersRefused(
  { configuration, platform }: Shared,
  events: AdminNeighbours['events'],
  { key, signal }: Waiting & { readonly key: SourceKey },
): Promise<void> {
  while (takesEvents(configuration.sourceOf(key))) await systemClock.sleep(5, { signal });
  await events?.sendersRefused(key, { signal });
  if (platform.othersLagMs > 0) await systemClock.sleep(platform.othersLagMs, { signal });
}
