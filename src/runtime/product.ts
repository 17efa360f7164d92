import type { Config } from '../config/config.ts';
import type { ClusterTopology } from '../config/topology/topology.ts';
import type { Finding } from '../core/finding.ts';
import type { MillraceError } from '../core/millrace-error.ts';

/**
 * What the command line has this process do by itself; everything else it asks of a process that runs. `main.ts` hands it in, and this file
 * is all that the command line knows of this room.
 */
export interface Product {
  /** As the package says. */
  readonly version: string;
  /** Resolves when the product is ready. Rejects, with nothing left open, when it cannot start. */
  start(options: StartOptions): Promise<Running>;
  /**
   * Gives the mark of the catalog's installation to every store that has none, whatever it holds; answers their names. Rejects with
   * `installation.foreign` where one has another's, and with what keeps it from looking at one.
   */
  claimStores(config: Config, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Makes a data folder of a backup, whole or not at all; answers the moment that it shows. `data.unusable` and `data.newerFormat` for
   * what is no backup, or damaged; `backup.refused` for a data folder with something in it; `backup.failed`.
   */
  restore(asked: AskedRestore, signal: AbortSignal): Promise<{ readonly at: string; readonly version: string }>;
  /**
   * Moves everything that a stopped process has in its data folder to the servers of a topology, or goes on with a move that was cut off.
   * `migration.refused` where it cannot be done, with nothing moved; `migration.failed` where a copy is not what it should be, and the
   * process may be started again; `migration.done` for what was moved elsewhere.
   */
  migrate(asked: AskedMigration, signal: AbortSignal): Promise<MigrationSummary>;
  /** Connects to every server of a topology, side by side, and says what is right and wrong; leaves nothing behind. */
  examineCluster(topology: ClusterTopology, signal: AbortSignal): Promise<readonly Examined[]>;
  /**
   * Opens the topic of a source in the log of a topology for writing, with a schema that is registered first. Rejects with
   * `config.invalid` for a topology that has no catalog; with `source.notFound`; with `input.invalid` for a source that is
   * disabled or takes other values, and for a schema that is refused; with `schemas.missing`; with `log.topicNotFound` and
   * `progress.topicChanged` where the log is not that of the catalog; and with why a server does not serve.
   */
  openSourceTopic(asked: AskedTopic, signal: AbortSignal): Promise<SourceTopic>;
  /**
   * Runs a configuration of the generic extractor in this process, and writes its tables into a folder and its state beside that, all or
   * nothing. Rejects with the reason of the signal alone.
   */
  extract(asked: AskedExtraction & { readonly out: string }, signal: AbortSignal): Promise<ExtractionEnd>;
  /** Asks for the first page of a configuration, and writes nothing. Rejects with the reason of the signal alone. */
  tryExtraction(asked: AskedExtraction, signal: AbortSignal): Promise<TrialEnd>;
}

export interface AskedRestore {
  readonly from: string;
  readonly dataDir: string;
  readonly onProgress: (progress: { readonly bytes: number; readonly of: number }) => void;
}

export interface AskedMigration {
  readonly config: Config;
  readonly topology: ClusterTopology;
  /** True: looks at both sides, and moves nothing. */
  readonly dryRun: boolean;
  /** True: removes what an earlier move has left in the cluster that cannot go on, and begins again. */
  readonly anew: boolean;
  /** `of` is 0 where nobody knows how much it is. */
  readonly onProgress: (progress: { readonly doing: string; readonly bytes: number; readonly of: number }) => void;
}

/** What is moved, or would be. */
export interface MigrationSummary {
  /**
   * `moved before`: it had been moved, and the cluster knows. `untold`: the cluster does not, and processes start on it only when it was
   * told; of a dry run alone.
   */
  readonly state: 'planned' | 'moved' | 'moved before' | 'untold';
  /** Definitions, versions, tokens, jobs and whatever else the catalog has. */
  readonly documents: number;
  /** Records of both logs. */
  readonly events: number;
  readonly eventBytes: number;
  /** Staged slices, and what was uploaded. */
  readonly files: number;
  readonly fileBytes: number;
  readonly tables: number;
  readonly rows: number;
}

export interface AskedExtraction {
  readonly config: Pick<Config, 'extractor'>;
  /** Both as `parseExactJsonText` gives them. */
  readonly configuration: unknown;
  readonly state?: unknown;
  readonly tell: (entry: ExtractionLogEntry) => void;
  /** Behind each page. */
  readonly onProgress?: (soFar: ExtractedSoFar) => void;
}

export interface ExtractionLogEntry {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
}

export interface ExtractedSoFar {
  readonly pages: number;
  readonly rows: number;
  /** Of the bodies of answers. */
  readonly bytes: number;
}

export type ExtractionEnd =
  { readonly kind: 'done'; readonly tables: readonly WrittenTable[]; readonly stateFile: string } | ExtractionFailure;

/** What the configuration or the API is to blame for, or this product and its machine. Nothing was written. */
export type ExtractionFailure =
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string; readonly cause: unknown };

export interface WrittenTable {
  readonly file: string;
  readonly rows: number;
  readonly columns: number;
}

export type TrialEnd =
  | {
      readonly kind: 'done';
      /** Up to the first page: a login comes before it. */
      readonly requests: readonly TrialRequest[];
      /** JSON of the items of the first page. */
      readonly items: readonly string[];
      /** What would be asked for next; absent: nothing. */
      readonly next?: TrialRequest;
    }
  | ExtractionFailure;

/** As it may be shown. */
export interface TrialRequest {
  /** `GET https://…` */
  readonly line: string;
  readonly headers: readonly string[];
  readonly body?: string;
}

export interface AskedTopic {
  readonly topology: ClusterTopology;
  /** `default` or a number. */
  readonly branch: string;
  readonly sourceId: string;
  /** Absent: events are written as they are. */
  readonly schema?: { readonly format: 'avro' | 'json-schema' | 'protobuf'; readonly text: string };
}

/** The topic of a source, open for writing by this process. */
export interface SourceTopic extends AsyncDisposable {
  /** The value of a record for an event, or why there is none, as a part of a sentence. */
  valueOf(
    event: Uint8Array,
  ): Promise<
    { readonly kind: 'value'; readonly value: Uint8Array } | { readonly kind: 'unfit'; readonly problem: string }
  >;
  /**
   * Appends records of one partition, in order, all or none; resolves when all in-sync replicas have them. A failure may have stored them,
   * unless the code says that it has not: `log.refused`, `log.recordTooLarge`, `log.topicNotFound`, `progress.topicChanged`.
   */
  append(values: readonly Uint8Array[], options: AppendToTopic): Promise<void>;
}

export interface AppendToTopic {
  /** Of each record: `name, value, name, value …`. */
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
}

export interface StartOptions {
  readonly config: Config;
  /** Absent: everything in this process, on its data folder. */
  readonly topology?: { readonly value: ClusterTopology; readonly path: string; readonly text: string };
  /** Ends the waiting for servers that are away; nothing else of a start. */
  readonly signal?: AbortSignal;
}

/** A product, or some roles of one, that runs in this process. */
export interface Running {
  /** Base URLs, as the process listens. */
  readonly listeners: Listeners;
  /** The root token, when it was made by this start: the only time that it is shown. */
  readonly rootTokenShown?: string;
  /** Resolves, once senders are refused, when the process must end because of what nothing in it can mend: do not `stop` then. */
  readonly failed: Promise<MillraceError>;
  /** Drains, within the drain timeout, and closes everything. Idempotent. What fails by itself is started again until then. */
  stop(): Promise<void>;
}

/** Base URLs of what a process listens on, as others see them. */
export interface Listeners {
  readonly admin?: string;
  readonly ingest?: string;
  /** OTLP over gRPC, as OpenTelemetry writes an endpoint; absent: without the role ingest, and where another process has its usual port. */
  readonly otlpGrpc?: string;
  /** Metrics and health of a process without the role admin. */
  readonly ops?: string;
}

/** The exit code of a process that ends because of what nothing in it can mend. */
export const brokenExitCode = 4;

export interface Examined {
  /** Part of the topology, with what it is: `staging (s3)`; `jobs`: who runs them. */
  readonly server: string;
  readonly findings: readonly Finding[];
}
