import { randomBytes } from 'node:crypto';
import { createAdmin, type AdminService } from '../../admin/create-admin.ts';
import { parseTokenDocument } from '../../core/documents/token-document.ts';
import type { Source } from '../../core/source.ts';
import { refuseTemplates } from '../../mapping/template.ts';
import { Collector } from '../../stages/import/collector.ts';
import { ImportService } from '../../stages/import/import-service.ts';
import { TokenRights } from '../../stages/import/token-rights.ts';
import { createIngest, type IngestService } from '../../stages/ingest/ingest-service.ts';
import { ingestDefaults } from '../../stages/ingest/ingest-config.ts';
import type { SourceRefusal } from '../../stages/ingest/source-directory.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import { Replica } from '../../stages/replica/replica.ts';
import { Retention } from '../../stages/retain/retention.ts';
import { StatusBoard } from '../../stages/status/status-board.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { observeImport } from '../observers/stage-observers.ts';
import { observeIngest } from '../observers/observe-ingest.ts';
import { observeRetention } from '../observers/observe-retention.ts';
import { observeStatus } from '../observers/status-observer.ts';
import { ReplicaDirectory } from '../replica-directory.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import type { ComposeOptions } from './compose.ts';
import type { DiskGuard } from './disk-guard.ts';
import type { EmbeddedPorts } from './embedded-ports.ts';
import type { Ops } from './ops-handlers.ts';
import type { ThreadService } from './thread-service.ts';

/** What the services of the main thread share. */
export interface Shared extends ComposeOptions {
  readonly ports: EmbeddedPorts;
  readonly configuration: Configuration;
  readonly telemetry: Telemetry;
}

const importRetry = { firstMs: 500, capMs: 60_000 };
const invalidDocument =
  ({ log }: Telemetry) =>
  (id: string, error: unknown): void =>
    log.error({ id, err: error }, 'document cannot be read');

export function importService({ ports, configuration, telemetry, tables }: Shared): ImportService {
  const { catalog } = ports;
  const tokens = new Replica({
    catalog,
    collection: 'token',
    parse: parseTokenDocument,
    onInvalid: invalidDocument(telemetry),
  });
  return new ImportService({
    ...ports,
    tables,
    configuration,
    workLog: ports.sinkLog,
    rights: new TokenRights(tokens),
    status: new StatusBoard({
      catalog,
      clock: systemClock,
      role: 'import',
      observer: observeStatus(telemetry, configuration),
    }),
    observer: observeImport(telemetry),
    clock: systemClock,
    random: Math.random,
    unique,
    retry: importRetry,
    member: 'main',
    concurrency: 2,
  });
}

export function collectorOf({ ports, telemetry }: Shared): Collector {
  return new Collector({
    ...ports,
    clock: systemClock,
    observer: observeImport(telemetry),
    leaseMs: 60_000,
  });
}

export function retentionOf({ ports, configuration, telemetry }: Shared): Retention {
  return new Retention({
    ...ports,
    configuration,
    clock: systemClock,
    observer: observeRetention(telemetry),
  });
}

export interface IngestNeighbours {
  readonly disk: DiskGuard;
  readonly retention: Retention;
}

export function ingestService(
  { config, ports, configuration, telemetry }: Shared,
  { disk, retention }: IngestNeighbours,
): IngestService {
  const sources = new ReplicaDirectory({
    configuration,
    projectId: config.projectId,
    refusal: (source) => refusalOf(source, { disk, retention }),
  });
  disk.listen(() => sources.changed());
  retention.listen(() => sources.changed());
  return createIngest({
    log: ports.sourceLog,
    sources,
    clock: systemClock,
    telemetry: observeIngest(telemetry),
    config: {
      ...ingestDefaults,
      ...config.ingest,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
    },
  });
}

function refusalOf({ sourceId, topic }: Source, { disk, retention }: IngestNeighbours): SourceRefusal | undefined {
  if (disk.isFull) {
    return {
      error: 'diskFull',
      message: 'The disk is full: events are taken again when there is space.',
      retryAfterSeconds: 10,
    };
  }
  const error = retention.hindrance(topic);
  switch (error) {
    case undefined:
      return undefined;
    case 'budgetSpent':
      return {
        error,
        message: `Source "${sourceId}" holds as many undelivered events as "log.retention.size" allows: events are taken again when its sinks have caught up.`,
        retryAfterSeconds: 10,
      };
    case 'logBehind':
      return {
        error,
        message: `The log of source "${sourceId}" ends before events that its sinks have taken already: events are taken again when log and catalog are restored from the same moment.`,
        retryAfterSeconds: 60,
      };
    default:
      return error satisfies never;
  }
}

export interface AdminNeighbours {
  readonly ingestUrl: string;
  readonly ingest: IngestService;
  readonly stageThread: () => ThreadService;
  readonly ops: Ops;
}

export function adminService(shared: Shared, { ingestUrl, ingest, stageThread, ops }: AdminNeighbours): AdminService {
  const { config, ports, configuration, telemetry, tables, rootTokenHash } = shared;
  const { publicUrl } = config.admin;
  return createAdmin({
    ...ports,
    tables,
    clock: systemClock,
    random: randomBytes,
    templates: refuseTemplates,
    config: {
      projectId: config.projectId,
      host: config.admin.host,
      port: config.admin.port,
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
      await ingest.settled(options);
    },
    openSlices: async (incarnation) => {
      const slices = await stageThread().openSlices(AbortSignal.timeout(1000));
      return slices.filter((slice) => slice.incarnation === incarnation);
    },
  });
}

/** As the replica of this process has it, which is what ingest goes by. */
function takesEvents(source: Source | undefined): boolean {
  return source !== undefined && source.disabled === undefined && source.deleted === undefined;
}
