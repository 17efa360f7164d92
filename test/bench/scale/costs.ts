/** What the simulation of `docs/scale.md` begins with: measured here, or said of a server by who makes it. */
export const costs = {
  /** `docs/benchmarks-cluster.md`: a process of each role alone, a second. */
  ingestEvents: 15_400,
  mapOutcomes: 80_700,
  stageOutcomes: 278_500,
  importRows: 490_100,
  /** `docs/benchmarks.md`, accept: events in batches of 100 lines, times single ones. */
  batchGain: 9.7,
  /** `node test/bench/scale/measure.ts`, a second: one PostgreSQL, one Kafka, all on one machine of two cores. */
  createdSinks: 29.7,
  catalogWrites: 2660,
  catalogReads: 146_900,
  imports: 713,
  /** `docs/benchmarks.md`, control-plane: of one process, for a source with two sinks. */
  megabytesOfSource: 0.14,
  startSecondsOfSource: 0.0017,
  /** The catalogs of PostgreSQL and MongoDB: how often a process that waits asks for changes. */
  pollsOfProcess: 4,
  /** Connections of a process for the catalog, and of one with `import` or `admin` for the tables, as a topology has them. */
  connectionsOfProcess: 10,
  /** KIP-578: the common rule, replicas of a broker and partitions of a cluster. */
  kafkaReplicasOfBroker: 4000,
  kafkaPartitions: 200_000,
  /** Amazon: PUT requests of a prefix a second. */
  s3Puts: 3500,
  /** PostgreSQL: `max_connections` unless somebody sets it. */
  postgresConnections: 100,
} as const;

export type Costs = Readonly<Record<keyof typeof costs, number>>;

export interface Target {
  readonly events: number;
  readonly sources: number;
  readonly sinks: number;
  /** Of a row in a slice. */
  readonly rowBytes: number;
  /** Copies of each partition. */
  readonly replication: number;
}

export const target: Target = { events: 1_000_000, sources: 10_000, sinks: 100_000, rowBytes: 300, replication: 3 };
