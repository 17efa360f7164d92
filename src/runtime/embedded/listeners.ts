import { randomBytes } from 'node:crypto';
import { createAdmin, type AdminService } from '../../admin/create-admin.ts';
import type { Service } from '../../core/service.ts';
import type { Source } from '../../core/source.ts';
import { refuseTemplates } from '../../mapping/template.ts';
import { ingestDefaults } from '../../stages/ingest/ingest-config.ts';
import { createIngest, type IngestService } from '../../stages/ingest/ingest-service.ts';
import type { Retention } from '../../stages/retain/retention.ts';
import { observeIngest } from '../observers/observe-ingest.ts';
import { ReplicaDirectory } from '../replica-directory.ts';
import type { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import type { DiskGuard } from './disk-guard.ts';
import type { Shared } from './main-services.ts';
import type { Ops } from './ops-handlers.ts';
import { sourceRefusal } from './source-refusal.ts';
import { superviseListener, type Place, type SupervisedListener } from './supervise-listener.ts';
import type { ThreadService } from './thread-service.ts';

export type Supervise = <Kind extends Service>(make: () => Kind) => Supervised<Kind>;

export interface IngestNeighbours {
  readonly disk: DiskGuard;
  readonly retention: Retention;
  readonly supervise: Supervise;
}

/** Takes events from now on. */
export function listenForEvents(
  shared: Shared,
  neighbours: IngestNeighbours,
): Promise<SupervisedListener<IngestService>> {
  const { config, ports, configuration, telemetry } = shared;
  const { disk, retention, supervise } = neighbours;
  const sources = new ReplicaDirectory({
    configuration,
    projectId: config.projectId,
    refusal: (source) => sourceRefusal(source, neighbours),
  });
  disk.listen(() => sources.changed());
  retention.listen(() => sources.changed());
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
  readonly ingest: Supervised<IngestService>;
  readonly stage: Supervised<ThreadService>;
  readonly ops: Ops;
  readonly supervise: Supervise;
}

/** Serves the management API and the operator's pages from now on. */
export function listenForCommands(
  shared: Shared,
  neighbours: AdminNeighbours,
): Promise<SupervisedListener<AdminService>> {
  const { config, ports, configuration, telemetry, tables, rootTokenHash } = shared;
  const { ingestUrl, ingest, stage, ops, supervise } = neighbours;
  const { publicUrl } = config.admin;
  const make = ({ host, port }: Place): AdminService =>
    createAdmin({
      ...ports,
      tables,
      clock: systemClock,
      random: randomBytes,
      templates: refuseTemplates,
      config: {
        projectId: config.projectId,
        host,
        port,
        ...(publicUrl === undefined ? {} : { publicAdminUrl: () => publicUrl }),
        publicIngestUrl: () => ingestUrl,
        trustedProxies: config.trustedProxies,
        partitions: config.partitions,
        corsOrigins: config.corsOrigins,
        owner: unique(),
      },
      rootTokenHash,
      ops,
      telemetry,
      sendersRefused: async (key, options) => {
        while (takesEvents(configuration.sourceOf(key))) await systemClock.sleep(5, options);
        await ingest.current.settled(options);
      },
      openSlices: async (incarnation) => {
        const slices = await stage.current.openSlices(AbortSignal.timeout(1000));
        return slices.filter((slice) => slice.incarnation === incarnation);
      },
    });
  return superviseListener({ make, place: config.admin, supervise });
}

/** As the replica of this process has it, which is what ingest goes by. */
function takesEvents(source: Source | undefined): boolean {
  return source !== undefined && source.disabled === undefined && source.deleted === undefined;
}
