import type { Costs, Target } from './costs.ts';
import { simulate, type Traffic } from './simulate.ts';

/** Something that an installation has a limited amount of. */
export interface Bound {
  readonly what: string;
  /** What one of it takes or bears. */
  readonly one: string;
  /** What the target asks of it. */
  readonly asked: string;
  /** So much of the target can be had with one of it; undefined: more of it helps, and can be had. */
  readonly share: number | undefined;
  readonly change: string;
  readonly ready: 'yes' | 'no' | 'by settings';
}

/** Processes of each role, each at half of what it took when it was measured. */
export type Processes = Readonly<Record<'ingest' | 'map' | 'stage' | 'import' | 'admin', number>>;

/** Compare-and-sets of documents for a slice (its seal), and for an import (begin, end, and the note in its history). */
const writesOfSlice = 1;
const writesOfImport = 3;

const half = (load: number, one: number): number => Math.ceil(load / (one / 2));

export function processesOf({ events, outcomes }: Traffic, costs: Costs): Processes {
  return {
    ingest: half(events, costs.ingestEvents * costs.batchGain),
    map: half(outcomes, costs.mapOutcomes),
    stage: half(outcomes, costs.stageOutcomes),
    import: half(outcomes, costs.importRows),
    admin: 2,
  };
}

/** The bounds, the one that is reached first at the top. */
export function boundsOf(target: Target, costs: Costs): readonly Bound[] {
  const traffic = simulate(target, costs);
  const processes = processesOf(traffic, costs);
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const writes = traffic.slices * writesOfSlice + traffic.imports * writesOfImport;
  const replicas = traffic.partitions * target.replication;
  const tableConnections = (processes.import + processes.admin) * costs.connectionsOfProcess;
  const bounds: readonly Bound[] = [
    {
      what: 'processes of ingest, events in batches of 100',
      one: `${rate(costs.ingestEvents * costs.batchGain)} events/s`,
      asked: `${rate(traffic.events)} events/s: ${count(processes.ingest)} at half of that`,
      share: undefined,
      change: 'more processes',
      ready: 'yes',
    },
    {
      what: 'processes of map, six columns',
      one: `${rate(costs.mapOutcomes)} outcomes/s`,
      asked: `${rate(traffic.outcomes)} outcomes/s: ${count(processes.map)}`,
      share: undefined,
      change: 'more processes; a large source has more partitions',
      ready: 'yes',
    },
    {
      what: 'processes of stage',
      one: `${rate(costs.stageOutcomes)} outcomes/s`,
      asked: `${rate(traffic.outcomes)} outcomes/s: ${count(processes.stage)}`,
      share: undefined,
      change: 'more processes',
      ready: 'yes',
    },
    {
      what: 'the table store: rows into one PostgreSQL',
      one: `${rate(costs.importRows)} rows/s`,
      asked: `${rate(traffic.outcomes)} rows/s`,
      share: costs.importRows / traffic.outcomes,
      change: 'several table stores, each sink in one of them',
      ready: 'no',
    },
    {
      what: 'ledger rows: imports into one PostgreSQL',
      one: `${rate(costs.imports)} imports/s`,
      asked: `${rate(traffic.imports)} imports/s`,
      share: costs.imports / traffic.imports,
      change: 'a longer interval of imports; several table stores',
      ready: 'by settings',
    },
    {
      what: 'catalog: documents that are written',
      one: `${rate(costs.catalogWrites)} writes/s`,
      asked: `${rate(writes)} writes/s`,
      share: costs.catalogWrites / writes,
      change: 'longer intervals of both steps',
      ready: 'by settings',
    },
    {
      what: 'catalog: documents that are read, each by each process',
      one: `${rate(costs.catalogReads)} documents/s`,
      asked: `${rate(writes * all)} documents/s by ${count(all)} processes, and ${rate(all * costs.pollsOfProcess)} polls/s`,
      share: Math.sqrt(costs.catalogReads / (writes * all)),
      change: 'a process reads the documents of the sinks that it works for, not all',
      ready: 'no',
    },
    {
      what: 'Kafka: partitions of one cluster',
      one: `${rate(costs.kafkaPartitions)}, and ${rate(costs.kafkaReplicasOfBroker)} replicas a broker`,
      asked: `${rate(traffic.partitions)}: ${count(Math.ceil(replicas / costs.kafkaReplicasOfBroker))} brokers`,
      share: costs.kafkaPartitions / traffic.partitions,
      change: 'one topic for the outcomes of all sinks of a source',
      ready: 'no',
    },
    {
      what: 'admin: one process makes sinks, one after the other for a source',
      one: `${rate(costs.createdSinks)} sinks/s`,
      asked: `${rate(target.sinks)} sinks: ${(target.sinks / costs.createdSinks / 3600).toFixed(1)} hours, once`,
      share: undefined,
      change: 'not needed: it is done once; branches with writers of their own',
      ready: 'no',
    },
    {
      what: 'staging: objects that are written under one prefix',
      one: `${rate(costs.s3Puts)} PUT/s`,
      asked: `${rate(traffic.slices)} PUT/s`,
      share: costs.s3Puts / traffic.slices,
      change: 'S3 grows with what is asked: each sink has a prefix of its own',
      ready: 'yes',
    },
    {
      what: 'connections of the table store',
      one: `${count(costs.postgresConnections)}, unless \`max_connections\` says more`,
      asked: `${count(tableConnections)}, ${costs.connectionsOfProcess} a process`,
      share: costs.postgresConnections / tableConnections,
      change: '`maxConnections` of the topology, `max_connections` of the server, a pooler',
      ready: 'by settings',
    },
    {
      what: 'connections of the catalog',
      one: `${count(costs.postgresConnections)}, unless \`max_connections\` says more`,
      asked: `${count(all * costs.connectionsOfProcess)}, ${costs.connectionsOfProcess} a process`,
      share: costs.postgresConnections / (all * costs.connectionsOfProcess),
      change: 'the same',
      ready: 'by settings',
    },
    {
      what: 'memory of a process that knows all sources and sinks',
      one: `${costs.megabytesOfSource.toFixed(2)} MB a source with two sinks, all roles in one process`,
      asked: `${((target.sinks / 2) * (costs.megabytesOfSource / 1000)).toFixed(0)} GB in each`,
      share: undefined,
      change: 'a process reads the documents of the sinks that it works for, not all',
      ready: 'no',
    },
    {
      what: 'start of a process that reads all of them',
      one: `${(costs.startSecondsOfSource * 1000).toFixed(1)} ms a source with two sinks`,
      asked: `${((target.sinks / 2) * costs.startSecondsOfSource).toFixed(0)} s`,
      share: undefined,
      change: 'the same',
      ready: 'no',
    },
  ];
  return bounds.toSorted((a, b) => (a.share ?? Number.POSITIVE_INFINITY) - (b.share ?? Number.POSITIVE_INFINITY));
}

/** Three digits at most. */
export function rate(value: number): string {
  const [divisor, unit] = value >= 1e6 ? [1e6, ' M'] : value >= 10_000 ? [1000, ' k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(3)).toLocaleString('en-US')}${unit}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
