import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { Incarnation, SourceKey } from '../core/ids.ts';
import type { Offset } from '../core/offset.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Holdings, Ownership } from '../ports/claimable.ts';
import type { EventLog, Waiting } from '../ports/event-log.ts';
import type { SchemaRegistry } from '../ports/schema-registry.ts';
import type { TableStore } from '../ports/table-store.ts';
import type { TemplateCompiler } from '../mapping/template.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface AdminConfig {
  /** Version of the product, as the API's description tells it. */
  readonly version: string;
  readonly projectId: number;
  /** Where to listen; port 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  /** Base of the addresses in answers, without a slash at the end; read at every answer. Absent: where it listens. */
  readonly publicAdminUrl?: () => string;
  /** Base of the addresses that senders use. */
  readonly publicIngestUrl: () => string;
  /** Addresses or networks (`10.0.0.0/8`) whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Partitions of a source made from now on. */
  readonly partitions: number;
  /** Origins that browsers may call from; `*` allows all. */
  readonly corsOrigins: readonly string[];
  /** Name of this life of the process, in the tasks that it runs and for the seat; never used again. */
  readonly owner: string;
  /** Where other processes of the role reach this one; absent: where it listens, as far as that can be told. */
  readonly advertisedUrl?: string;
  /** How long an heir of the seat gives its predecessor to finish what runs; 0 where there is one process only. */
  readonly handoverMs: number;
}

/** Bytes nobody can guess. */
export type RandomBytes = (length: number) => Uint8Array;

/** What the stage of this process has taken of a partition and not sealed yet: in the open slice, or in one that is being sealed. */
export interface OpenSlice {
  readonly incarnation: Incarnation;
  readonly partition: number;
  /** It takes no more lines. */
  readonly isClosing: boolean;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes. */
  readonly bytes: number;
  /** Those of the rows alone. */
  readonly rowBytes: number;
  /** Arrival of the first and the last event; absent while there is no line. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
  /** Since the first outcome. */
  readonly ageMs: number;
}

type OpsHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Answers of the operator's pages; each writes the whole response. */
export interface OpsHandlers {
  readonly metrics: OpsHandler;
  readonly live: OpsHandler;
  readonly ready: OpsHandler;
}

export interface AdminDependencies {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly tables: TableStore;
  /** Whether what is in them may be removed. */
  readonly ownership: Ownership;
  /** Of all stores, staging too. */
  readonly holdings: Holdings;
  /** Absent: the installation has none, and sources cannot ask for formats that name a schema. */
  readonly schemaRegistry?: SchemaRegistry;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly templates: TemplateCompiler;
  readonly config: AdminConfig;
  /** SHA-256 of the root token, hexadecimal. */
  readonly rootTokenHash: string;
  readonly ops: OpsHandlers;
  readonly telemetry: Telemetry;
  /**
   * Given when this process also takes events: resolves when it refuses those of a source that has been disabled or deleted, and
   * has answered every request that it took before.
   */
  readonly sendersRefused?: (key: SourceKey, options: Waiting) => Promise<void>;
  /**
   * Given when this process also stages; absent: nothing is said of open slices' bytes and age. Those of all sinks, of one partition in
   * their order; the first of a partition may have been sealed a moment ago.
   */
  readonly openSlices?: () => Promise<readonly OpenSlice[]>;
  /** What does not move of a sink though it has work, in words; undefined when everything does. Absent: nobody looks. */
  readonly standstillOf?: (incarnation: Incarnation) => string | undefined;
  /**
   * How much of the retention of its source, from 0 to 1, the oldest event that a sink still needs has used; undefined when that is not
   * known. Absent: nobody looks.
   */
  readonly retentionUsedBy?: (incarnation: Incarnation) => number | undefined;
}
