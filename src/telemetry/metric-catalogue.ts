const bySource = ['branch', 'source'] as const;
const bySink = ['branch', 'source', 'sink'] as const;

/** Seconds. From a group commit on a fast disk to a request that runs into its timeout. */
const ingestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const importBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

const jobBuckets = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 21_600];

/** From a request to its commit, a few steps on a fast disk, to a server that hardly answers. */
const storeBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];
/** From an import a second to a day that nobody delivered. */
const ageBuckets = [1, 2, 5, 10, 30, 60, 120, 180, 300, 600, 1800, 3600, 21_600, 86_400];

/** How one metric's values of several threads become one. */
type Merge = 'sum' | 'max';

export type MetricDefinition = {
  readonly help: string;
  readonly labels: readonly string[];
} & (
  | { readonly kind: 'counter' }
  | { readonly kind: 'gauge'; readonly merge: Merge }
  /** `weighted`: of events by their age, many at a time. */
  | { readonly kind: 'histogram'; readonly buckets: readonly number[]; readonly weighted?: true }
);

/**
 * Every metric of the product. Names, labels and meanings are API: `docs/spec/metrics.md` shows this list, and a test
 * compares it with what a registry serves. What Node tells of the process (`process_*`, `nodejs_*`) comes beside it.
 */
export const metricCatalogue = {
  millrace_build_info: { kind: 'gauge', merge: 'max', labels: ['version', 'node'], help: 'Always 1.' },
  millrace_ingest_events_total: { kind: 'counter', labels: bySource, help: 'Events accepted.' },
  millrace_ingest_bytes_total: { kind: 'counter', labels: bySource, help: 'Bytes of the bodies of accepted events.' },
  millrace_ingest_batches_total: {
    kind: 'counter',
    labels: bySource,
    help: 'Accepted requests that were split into events.',
  },
  millrace_ingest_refused_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Requests refused, by the name of the error without its prefix.',
  },
  millrace_ingest_duration_seconds: {
    kind: 'histogram',
    labels: [],
    buckets: ingestBuckets,
    help: 'From the first byte of an accepted request to its answer.',
  },
  millrace_map_outcomes_total: {
    kind: 'counter',
    labels: [...bySink, 'kind'],
    help: 'Source offsets mapped, by outcome: row, dead, filtered, lost, none. Counts again what is mapped again.',
  },
  millrace_map_dead_letters_total: {
    kind: 'counter',
    labels: [...bySink, 'reason'],
    help: 'Events that a mapping refused, by the reason of the dead letter; templateLimit: a template that needed too much. Counts again what is mapped again.',
  },
  millrace_event_age_seconds: {
    kind: 'histogram',
    weighted: true,
    labels: ['stage'],
    buckets: ageBuckets,
    help: 'Age of events, from their arrival, when they were mapped, staged and imported. An event counts with the age of the oldest of its batch or slice; what had arrived before its sink was made is left out.',
  },
  millrace_stage_slices_total: {
    kind: 'counter',
    labels: [...bySink, 'cause'],
    help: 'Slices sealed, by the trigger that closed them.',
  },
  millrace_stage_rows_total: { kind: 'counter', labels: bySink, help: 'Rows of sealed slices.' },
  millrace_stage_bytes_total: { kind: 'counter', labels: bySink, help: 'CSV bytes of sealed slices.' },
  millrace_stage_torn_topics_total: {
    kind: 'counter',
    labels: bySink,
    help: 'Times that the topic of a sink was found to have lost outcomes before they were staged; they are mapped again.',
  },
  millrace_staged_rows: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Rows and dead letters in staging, not imported yet.',
  },
  millrace_imports_total: {
    kind: 'counter',
    labels: [...bySink, 'result'],
    help: 'Tries to import, by result: loaded, abandoned, failed.',
  },
  millrace_import_rows_total: { kind: 'counter', labels: bySink, help: 'Rows imported into the table.' },
  millrace_import_dead_letters_total: {
    kind: 'counter',
    labels: bySink,
    help: 'Dead letters imported into the dead letter table.',
  },
  millrace_import_late_events_total: {
    kind: 'counter',
    labels: bySink,
    help: 'Those rows and dead letters that were older than the freshness target of their sink when they were imported. The age is that of the oldest of their slice.',
  },
  millrace_import_timely_events_total: {
    kind: 'counter',
    labels: bySink,
    help: 'Those that were not.',
  },
  millrace_replay_letters_total: {
    kind: 'counter',
    labels: [...bySink, 'result'],
    help: 'Dead letters that replays looked at, by what became of them: row, filtered, refused (again), partial (not all of the event is kept).',
  },
  millrace_replays_total: {
    kind: 'counter',
    labels: [...bySink, 'result'],
    help: 'Replays of dead letters that came to their end, by result: done, failed. One that somebody stopped is not among them.',
  },
  millrace_running_replays: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Replays of dead letters that run now.',
  },
  millrace_import_duration_seconds: {
    kind: 'histogram',
    labels: [],
    buckets: importBuckets,
    help: 'Duration of imports that loaded.',
  },
  millrace_staged_oldest_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'How long the oldest slice that is not imported and not set aside has been in staging; 0 when there is none.',
  },
  millrace_sink_freshness_target_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'How old an event may be when it is imported: twice the two trigger intervals of its sink, a minute at least.',
  },
  millrace_sink_lag_events: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Accepted events of a sink that are in no table yet, neither as a row nor as a dead letter.',
  },
  millrace_sink_lag_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Age of the oldest accepted event that is in no table yet; 0 when there is none.',
  },
  millrace_sink_conservation_difference: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'What the witnesses of conservation disagree about, absolute; anything but 0 is an alarm.',
  },
  millrace_sink_witness_difference: {
    kind: 'gauge',
    merge: 'max',
    labels: [...bySink, 'witness'],
    help: 'The same by witness: document, ledgerRows, ledgerDead, log. Absent while it is not known.',
  },
  millrace_sink_holes: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Events that were lost before a sink had them, as retention does to what is not delivered in time; since it was created.',
  },
  millrace_sink_unacknowledged_holes: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Those holes of a sink that nobody has acknowledged by clearing its statistics; anything but 0 is an alarm.',
  },
  millrace_sink_parked_slices: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Slices that are set aside, because they do not fit their table or could not be imported even alone.',
  },
  millrace_sink_parked_events: { kind: 'gauge', merge: 'max', labels: bySink, help: 'Rows and dead letters of these.' },
  millrace_sink_parked_oldest_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'How long the oldest of them has been set aside; 0 when there is none.',
  },
  millrace_sink_given_up_events: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'Events of slices that were given up after seven days of failures, since the sink was created; any more is an alarm.',
  },
  millrace_sink_retention_used_ratio: {
    kind: 'gauge',
    merge: 'max',
    labels: bySink,
    help: 'How much of the retention of its source, by age or by bytes, the oldest event that a sink still needs has used; 0 to 1.',
  },
  millrace_sink_consecutive_failures: {
    kind: 'gauge',
    merge: 'max',
    labels: [...bySink, 'role'],
    help: 'Tries of a role for a sink that failed in a row: to map, to upload or seal, to import. Absent while it goes on.',
  },
  millrace_open_alarms: {
    kind: 'gauge',
    merge: 'sum',
    labels: ['role', 'code'],
    help: 'Sinks that a role cannot serve now, by the code of the reason.',
  },
  millrace_foreign_store_alarms: {
    kind: 'gauge',
    merge: 'max',
    labels: ['store'],
    help: 'Stores that this process may not clean up, because they are not of its installation: 1, or 0 once they are again.',
  },
  millrace_measured_timestamp_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'When this process last looked at all sources and sinks, in seconds since 1970; 0 in one without the role admin.',
  },
  millrace_missing_servers: {
    kind: 'gauge',
    merge: 'max',
    labels: ['server'],
    help: 'Servers that the roles of this process need and that do not serve it: 1, or 0 once they do again.',
  },
  millrace_store_duration_seconds: {
    kind: 'histogram',
    labels: ['store', 'operation'],
    buckets: storeBuckets,
    help: 'Duration of calls of a store, by store: catalog, tables, staging; those that failed, too.',
  },
  millrace_log_request_duration_seconds: {
    kind: 'histogram',
    labels: ['request'],
    buckets: storeBuckets,
    help: 'From a request to Kafka to its answer, by request: produce; fetch, if it brought records.',
  },
  millrace_group_partitions: {
    kind: 'gauge',
    merge: 'sum',
    labels: ['group'],
    help: 'Partitions that this process holds, by group: map, stage, import, work.',
  },
  millrace_group_rebalances_total: {
    kind: 'counter',
    labels: ['group'],
    help: 'Times that this process got other partitions than it had.',
  },
  millrace_upload_oldest_wait_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'How long the oldest slice that is closed and not sealed has waited for its upload and its seal; 0 when there is none.',
  },
  millrace_disk_free_bytes: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'Bytes that are free on the disk of the data folder, for users without special rights.',
  },
  millrace_disk_size_bytes: { kind: 'gauge', merge: 'max', labels: [], help: 'Bytes of that disk.' },
  millrace_event_loop_delay_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: ['thread'],
    help: 'Delay of the event loop of a thread, the greatest of the last 5 to 10 seconds.',
  },
  millrace_event_loop_utilization_ratio: {
    kind: 'gauge',
    merge: 'max',
    labels: ['thread'],
    help: 'How much of the last 5 to 10 seconds the event loop of a thread was busy, 0 to 1.',
  },
  millrace_retention_lost_events_total: {
    kind: 'counter',
    labels: bySource,
    help: 'Events that the log of this process removed at their maximum age before every sink had them.',
  },
  millrace_log_bytes: { kind: 'gauge', merge: 'max', labels: bySource, help: 'Bytes of the topic of a source.' },
  millrace_log_append_alarms: {
    kind: 'gauge',
    merge: 'max',
    labels: ['topic', 'partition', 'condition'],
    help: 'Partitions of Kafka to which this process cannot append now, 1 each, by condition: late, refusing. Absent while it can.',
  },
  millrace_jobs_total: {
    kind: 'counter',
    labels: ['component', 'status'],
    help: 'Jobs that ended here, by status: success, warning, error, terminated.',
  },
  millrace_job_rows_total: { kind: 'counter', labels: [], help: 'Rows that jobs loaded into tables.' },
  millrace_job_bytes_total: { kind: 'counter', labels: [], help: 'CSV bytes of those rows.' },
  millrace_job_duration_seconds: {
    kind: 'histogram',
    labels: [],
    buckets: jobBuckets,
    help: 'Duration of jobs, from the start of the run that ended them.',
  },
  millrace_scheduled_runs_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Planned times of schedules, by what became of them: made and late have a job; skipped, because the job before had not ended, and missed have none.',
  },
  millrace_running_jobs: { kind: 'gauge', merge: 'sum', labels: [], help: 'Jobs that this process runs now.' },
  millrace_waiting_jobs: {
    kind: 'gauge',
    merge: 'sum',
    labels: [],
    help: 'Jobs of the share of this process that could begin, and wait for their turn.',
  },
  millrace_job_oldest_wait_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'How long the oldest of them has waited; 0 when there is none.',
  },
  millrace_unbegun_jobs: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'Jobs of the installation that could begin and have not, measured by each process with the role admin.',
  },
  millrace_unbegun_job_oldest_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'How long the oldest of them has waited; 0 when there is none.',
  },
  millrace_work_processes: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'Processes that run jobs, as each process with the role admin sees them.',
  },
  millrace_job_longest_run_seconds: {
    kind: 'gauge',
    merge: 'max',
    labels: [],
    help: 'How long the oldest run of a job of this process has taken so far; 0 when there is none.',
  },
  millrace_spans_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Spans of traces, by what became of them: exported, failed, dropped. None while traces are off.',
  },
  millrace_service_failures_total: {
    kind: 'counter',
    labels: ['service', 'code'],
    help: 'Services that failed and were started again.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

type MetricName = keyof typeof metricCatalogue;
type NamesOf<Kind> = {
  [Name in MetricName]: (typeof metricCatalogue)[Name] extends { readonly kind: Kind } ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type AgesName = {
  [Name in MetricName]: (typeof metricCatalogue)[Name] extends { readonly weighted: true } ? Name : never;
}[MetricName];
export type HistogramName = Exclude<NamesOf<'histogram'>, AgesName>;
export type LabelOf<Name extends MetricName> = (typeof metricCatalogue)[Name]['labels'][number];
