import type { Clock } from '../core/clock.ts';
import type { Incarnation, SourceKey } from '../core/ids.ts';
import type { SettingOverrides } from '../core/source.ts';
import type { RunsJobs, SeenWorkers } from '../core/workforce.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Holdings, Ownership } from '../ports/claimable.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { SchemaRegistry } from '../ports/schema-registry.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import type { ImportLedger } from '../ports/import-ledger.ts';
import type { TableLoads } from '../ports/table-loads.ts';
import type { DeadLetters } from '../ports/dead-letters.ts';
import type { TablePages } from '../ports/table-pages.ts';
import type { Tables } from '../ports/tables.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ObjectAddresses } from './addresses.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { OpenSliceState } from '../core/accounts/open-slice-state.ts';
import type { SecretKeys } from '../secrets/secret-keys.ts';
import type { ImportQueue } from './tasks/import-queue.ts';
import type { Uploads } from './tasks/uploads.ts';
import type { Seat } from './seat/seat.ts';
import type { Configurations } from './store/configurations.ts';
import type { Definitions } from './store/definitions.ts';
import type { RandomBytes } from './store/random-text.ts';
import type { SecretStore } from './store/secrets.ts';
import type { TokenStore } from './store/tokens.ts';
import type { Chores } from './tasks/chores.ts';
import type { SinkStanding } from '../core/accounts/rank-sinks.ts';
import type { TaskRunner } from './tasks/task-runner.ts';
import type { Trials } from './trials/trials.ts';

/** Copies of everything that the installation has; one is made at a time. */
export interface Backups {
  /**
   * Begins to copy one moment into a new folder, an absolute path on the disk of this process. Nothing is left of one that fails.
   * `backup.refused`, also when there is no room for it.
   */
  start(to: string, options: Waiting): Promise<BackupState>;
  /** The last one that this process began; undefined: none. */
  last(): BackupState | undefined;
  /** Ends the one that runs, and resolves when nothing is left of it. */
  stop(): Promise<BackupState | undefined>;
}

export interface BackupState {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly to: string;
  /** ISO times. The moment that it shows is between these two. */
  readonly startedAt: string;
  readonly finishedAt?: string;
  /** The moment that it shows, once it is done: what was acknowledged before is in it. */
  readonly at?: string;
  readonly bytes: number;
  /** About how many bytes there are. */
  readonly ofBytes: number;
  /** Why it failed. */
  readonly error?: string;
}

/** What the process gives. */
export interface Surroundings {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly tables: Tables;
  readonly ledger: Pick<ImportLedger, 'createLedger' | 'readLedger' | 'readLedgers' | 'deleteLedger' | 'abandon'>;
  /** Of jobs, and of files. */
  readonly loads: Pick<TableLoads, 'openLoad' | 'readLoad' | 'load' | 'abandonLoad' | 'forgetLoad'>;
  /** Who runs jobs; where nobody does they are refused, or they would wait for good. */
  readonly runsJobs: RunsJobs;
  /** Of the process: what it saw of those who run jobs elsewhere. */
  readonly workers: SeenWorkers;
  readonly pages: TablePages;
  readonly letters: DeadLetters;
  /** Where files are; the staging of slices is there, too. */
  readonly objects: ObjectStore;
  /** Of this process, for what passes through; what is in it may be removed when the process starts. */
  readonly localFolder: string;
  /** Whether what is in them may be removed. */
  readonly ownership: Ownership;
  /** Of all stores, staging too. */
  readonly holdings: Holdings;
  /** Absent: the installation has none, and sources cannot ask for formats that name a schema. */
  readonly schemaRegistry?: SchemaRegistry;
  /** Whether the product keeps the log of events itself, and removes from it what its settings say. */
  readonly hasOwnLog: boolean;
  /** What settings are that neither source nor sink sets; absent: what the product says. */
  readonly defaults?: SettingOverrides;
  readonly clock: Clock;
  /** By which the sinks are sampled, for tests; absent: `clock`. */
  readonly samplingClock?: Clock;
  readonly random: RandomBytes;
  readonly trials: Trials;
  /** What encrypts the secrets of configurations and of the vault; without any key these are refused. */
  readonly secretKeys: SecretKeys;
  readonly telemetry: Telemetry;
  /** Absent: the stores of the installation are servers, which have their own. */
  readonly backups?: Backups;
  /**
   * Given when this process also takes events: resolves when it refuses those of a source that has been disabled or deleted, and
   * has answered every request that it took before.
   */
  readonly sendersRefused?: (key: SourceKey, options: Waiting) => Promise<void>;
  /**
   * Given when this process also takes events: resolves when it takes them by the definitions of now. It never rejects, and gives up after
   * two seconds (D7): what was changed stays changed.
   */
  readonly sendersServed?: (options: Waiting) => Promise<void>;
  /**
   * Given when this process also stages; absent: nothing is said of open slices' bytes and age. Those of all sinks, of one partition in
   * their order; the first of a partition may have been sealed a moment ago.
   */
  readonly openSlices?: () => Promise<readonly OpenSliceState[]>;
  /**
   * Which part of a sink does not move though it has work, in words; undefined when everything moves. Absent: nobody
   * looks.
   */
  readonly standstillOf?: (incarnation: Incarnation) => string | undefined;
  /**
   * How much of the retention of its source, from 0 to 1, the oldest event that a sink still needs has used; undefined when that is not
   * known. Absent: nobody looks.
   */
  readonly retentionUsedBy?: (incarnation: Incarnation) => number | undefined;
  /** How each incarnation of a sink stood at the last look, and when that was; undefined before the first one. Absent: nobody looks. */
  readonly standings?: () => { readonly at: number; readonly sinks: readonly SinkStanding[] } | undefined;
}

/** What operations and reports are made of; each takes those that it uses. `catalog` refuses writes of a process that has lost the seat. */
export interface Parts extends Surroundings {
  /** The catalog without that guard: to take back what nobody but this process knows of. */
  readonly ownCatalog: Catalog;
  readonly seat: Pick<Seat, 'assertHeld'>;
  /** Partitions of a source made from now on. */
  readonly partitions: number;
  /** Sources that a branch may have. */
  readonly maxSources: number;
  readonly addresses: ObjectAddresses;
  readonly definitions: Definitions;
  readonly tokens: TokenStore;
  readonly configurations: Configurations;
  readonly secrets: SecretStore;
  readonly tasks: TaskRunner;
  readonly chores: Chores;
  readonly audit: AuditTrail;
  readonly uploads: Uploads;
  readonly imports: ImportQueue;
}
