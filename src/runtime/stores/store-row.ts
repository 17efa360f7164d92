import type { StoreConfig, StoreKind, StorePart } from '../../config/topology/store-schemas.ts';
import type { Finding } from '../../core/finding.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { LogObserver } from '../../telemetry/observe-appends.ts';

/** What is said to a store beside what the topology says. */
export interface Opening extends Waiting {
  /** Name of this process or thread for people who look at the servers. */
  readonly clientId: string;
  /** Folder for files that outlive nothing. */
  readonly tempDir: string;
  /** True: a catalog that is missing is not made, and opening it is `config.invalid`. */
  readonly mustExist?: boolean;
  /** Is told of partitions of the logs that take no appends, and how long requests take. */
  readonly appends?: LogObserver;
}

export interface Examination extends Omit<Opening, 'appends' | 'mustExist'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Topics of sources and of sinks: the same servers, with other rules for topics that are made. */
export interface Logs {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  /** The most bytes that one append to a new topic of a sink takes. */
  readonly maxSinkAppendBytes: number;
}

export interface OpenTables {
  readonly store: TableStore;
  /** How many imports it takes at a time. */
  readonly mostImports: number;
}

/** What opening a store gives, by the part that it plays. */
export interface Opened {
  readonly log: Logs;
  readonly staging: ObjectStore;
  readonly catalog: Catalog;
  readonly tables: OpenTables;
}

/** What the product does with a kind of store. Its adapter is loaded when something is to be done: a thread has those that it uses. */
export interface StoreRow<Config, Store> {
  /** Rejects with the errors of the port, and leaves nothing open. */
  open(config: Config, opening: Opening): Promise<Store>;
  /** Looks at all that the product needs of the server, and leaves nothing behind; what is wrong is a finding. */
  check(config: Config, examination: Examination): Promise<readonly Finding[]>;
  /** True for a failure that waiting does not mend: the server was there and refused the user, the database or a right. */
  isRefused(thrown: unknown): boolean;
}

/** A row for every kind that a topology can name. */
export type StoreRows = {
  readonly [Part in StorePart]: {
    readonly [Kind in StoreKind<Part>]: StoreRow<StoreConfig<Part, Kind>, Opened[Part]>;
  };
};
