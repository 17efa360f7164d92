import { tokenDocuments } from '../../documents/token-document.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { SeenWorkers } from '../../core/workforce.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { StoreClaims } from '../../stages/claims/store-claims.ts';
import { Collector } from '../../stages/import/collector.ts';
import { FileCollector } from '../../stages/import/file-collector.ts';
import { ImportService } from '../../stages/import/import-service.ts';
import { TokenRights } from '../../stages/import/token-rights.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import { Replica } from '../../stages/replica/replica.ts';
import { RetiredTopics } from '../../stages/retain/retired-topics.ts';
import { StatusBoard } from '../../stages/status/status-board.ts';
import { unreadDocument } from '../../telemetry/unread-document.ts';
import { observeImport } from '../../telemetry/observe-import.ts';
import { observeRetiredTopics } from '../../telemetry/observe-retired-topics.ts';
import { observeStatus } from '../../telemetry/observe-status.ts';
import { systemClock } from '../system-clock.ts';
import type { TrialThread } from '../trials/trial-thread.ts';
import { unique } from '../unique.ts';
import type { ComposeOptions } from './compose-options.ts';
import { freshnessOf } from './freshness-of.ts';
import type { Platform } from './platform.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { Ports } from './ports.ts';

/** What the services of the main thread share. */
export interface Shared extends ComposeOptions {
  readonly ports: Ports;
  readonly configuration: Configuration;
  readonly claims: StoreClaims;
  readonly trials: TrialThread;
  /** For what the process does itself, so that it waits for no caller. */
  readonly remaps: TrialThread;
  readonly workers: SeenWorkers;
  /** How many the process may have; undefined where the system does not say. */
  readonly openFiles: number | undefined;
}

const importRetry = new RetryPacing({ firstMs: 500, capMs: 60_000 }, Math.random);

export function importService({
  ports,
  claims,
  config,
  configuration,
  telemetry,
  platform,
  remaps,
}: Shared): ImportService {
  const { catalog } = ports;
  const tables = tablesOf(platform);
  const tokens = new Replica({ catalog, kind: tokenDocuments, onInvalid: unreadDocument(telemetry) });
  return new ImportService({
    ...ports,
    tables,
    ledger: tables,
    letters: tables,
    remapper: remaps,
    ownership: claims,
    configuration,
    workLog: ports.sinkLog,
    rights: new TokenRights(tokens),
    status: new StatusBoard({
      catalog,
      clock: systemClock,
      role: 'import',
      member: platform.instance,
      observer: observeStatus(telemetry, (incarnation) => configuration.keyOf(incarnation)),
    }),
    observer: observeImport(telemetry, freshnessOf(configuration, systemClock)),
    clock: systemClock,
    unique,
    retry: importRetry,
    member: platform.instance,
    concurrency: config.imports ?? platform.importsAtOnce,
  });
}

export function collectorOf({ ports, claims, configuration, telemetry }: Shared): Collector {
  return new Collector({
    ...ports,
    ownership: claims,
    clock: systemClock,
    observer: observeImport(telemetry, freshnessOf(configuration, systemClock)),
  });
}

export function fileCollectorOf({ ports, claims }: Shared): FileCollector {
  return new FileCollector({ ...ports, ownership: claims, clock: systemClock });
}

/** Of a process with the role import or admin. */
export function tablesOf({ tables }: Platform): TableStore {
  if (tables === undefined) throw new MillraceError('internal.bug', 'a role that needs the tables runs without them');
  return tables;
}

export function retiredTopicsOf({ ports, claims, configuration, telemetry }: Shared): RetiredTopics {
  return new RetiredTopics({
    ...ports,
    ownership: claims,
    configuration,
    clock: systemClock,
    observer: observeRetiredTopics(telemetry),
  });
}
