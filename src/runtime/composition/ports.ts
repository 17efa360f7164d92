import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { SchemaRegistry } from '../../ports/schema-registry.ts';

/** What every thread opens for itself. In a cluster both logs are the same Kafka, with other rules for new topics. */
export interface Ports {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly objects: ObjectStore;
  /** Absent: the installation has none. */
  readonly schemaRegistry?: SchemaRegistry;
}

/** Puts something around the ports, for tests that kill the process at a named point. */
export type Decorate = (ports: Ports) => Ports;
