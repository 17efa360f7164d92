import type { Config } from '../../config/config.ts';
import type { Backups } from '../../control/parts.ts';
import type { Role } from '../../config/topology/role.ts';
import type { Round } from '../../core/periodic-service.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { LimitsOf } from '../../stages/measure/retention-use.ts';
import type { Ports } from './ports.ts';
import type { SourceHindrances } from './source-hindrances.ts';

/** What a thread needs to open the same ports as its process. Everything in it survives a message between threads. */
export type PlatformSpec =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | {
      readonly kind: 'cluster';
      readonly topology: { readonly path: string; readonly text: string };
      readonly clientId: string;
      /** Folder of this process for local slice files. */
      readonly localFolder: string;
    };

export interface PlatformParts {
  /** Why sources take no more events, as it was at the last look. */
  readonly hindrances: () => SourceHindrances;
  /** Calls back when they may have changed. */
  readonly listen: (listener: () => void) => void;
  /** What has to run from time to time; each has had its first round. */
  readonly rounds: readonly Round[];
  /** What keeps the process from being ready, as it was at the last look. */
  readonly unready: () => readonly string[];
  /** What bounds how long the log keeps what sinks need. */
  readonly limitsOf: LimitsOf;
}

export interface PlatformContext {
  readonly config: Config;
  readonly ports: Ports;
  readonly configuration: Configuration;
  readonly telemetry: Telemetry;
}

/** What differs between one process on its data folder and a cluster of them. */
export interface Platform {
  readonly spec: PlatformSpec;
  readonly roles: ReadonlySet<Role>;
  /** Name of this process among those of the same role, for people. */
  readonly instance: string;
  /** For what this process keeps on the disk while it works; what an earlier one left there is gone. */
  readonly localFolder: string;
  /** Of this thread. */
  readonly ports: Ports;
  /** Present when a role needs it: import, work and admin. */
  readonly tables: TableStore | undefined;
  /** Present where all stores are in the data folder of this process. */
  readonly backups?: Backups;
  /** How long a process that runs jobs says nothing before it counts as one that has ended. */
  readonly jobTakeOverMs: number;
  /** How many sinks import at a time, unless the configuration says. */
  readonly importsAtOnce: number;
  /** How long another process may go on with an older configuration; 0 when there is none. */
  readonly othersLagMs: number;
  readonly start: (context: PlatformContext, signal: AbortSignal) => Promise<PlatformParts>;
}
