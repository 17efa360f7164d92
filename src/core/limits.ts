/** Bounds that hold everywhere (D8). Settings and configuration may only make them smaller where they say so. */
export const limits = {
  sinksPerSource: 100,
  /** Of a source, when it is made. */
  partitions: 256,
  versionsPerObject: 1000,
  columnsPerMapping: 100,
  columnNameLength: 64,
  /** Of a bucket or a table, characters. */
  tableNameLength: 96,
  /** Of a table that is made by itself, without a sink. */
  columnsPerCreatedTable: 1000,
  /** That somebody made; those that come with tables are bounded by the tables. */
  buckets: 10_000,
  /** Of the local disk: jobs, uploads and imports must not fill what the product keeps its events on. */
  diskReserveBytes: 256 * 1024 ** 2,
  /** One file that is uploaded, as it is sent. */
  fileBytes: 5 * 1024 ** 3,
  files: 10_000,
  /** A file that is not permanent is kept for so long. */
  fileAgeMs: 15 * 24 * 3_600_000,
  /** A file that was prepared waits for its upload for so long. */
  fileUploadMs: 24 * 3_600_000,
  /** An upload of which fewer bytes come in so long is ended: one that stands still, or drips, would keep the place of another. */
  uploadPace: { bytes: 64 * 1024, ms: 60_000 },
  /** Of one process. */
  uploadsAtOnce: 20,
  /** Of a file that is loaded, decompressed. */
  importBytes: 50 * 1024 ** 3,
  /** Loads of files that wait or run. */
  openStorageJobs: 1000,
  endedStorageJobs: 5000,
  fileNameLength: 255,
  tagsPerFile: 100,
  tagLength: 255,
  /** Of a component in a branch, deleted ones too. */
  configurationsPerComponent: 10_000,
  rowsPerConfiguration: 1000,
  configurationIdLength: 100,
  configurationNameLength: 255,
  /** JSON text of a configuration, a row or a state. */
  configurationBytes: 4 * 1024 ** 2,
  /** All texts of a configuration with its rows: they are one document. */
  configurationWholeBytes: 8 * 1024 ** 2,
  /** Values of keys with `#` in one text: each takes a processor as long as a thousand others do. */
  configurationSecrets: 1000,
  /** One answer shows so many bytes of configurations. */
  shownConfigurationsBytes: 64 * 1024 ** 2,
  vaultValues: 1000,
  vaultValueBytes: 64 * 1024,
  nameLength: 40,
  idLength: 48,
  descriptionLength: 4096,
  /** A token's description stands in every version and audit entry that its holder makes. */
  tokenDescriptionLength: 255,
  /** Tokens of people; those of sinks are bounded by the sinks. */
  tokens: 1000,
  templateLength: 4096,
  pathLength: 4096,
  defaultValueLength: 65_536,
  listPage: 100,
  taskTimeoutMs: 300_000,
  /** D7: how long a process may go on with a configuration that has changed. */
  configurationLagMs: 2000,
  /** A secret that is rotated away stays valid for at most so long. */
  secretOverlapMs: 30 * 24 * 3_600_000,
  /** One CSV row with its line end. */
  rowBytes: 1536 * 1024,
  /** Templates may take the steps of so many rows for all events of one record together. */
  stepsOfRecord: 20,
  /** The body of a larger event is not read: it becomes a dead letter. Only other producers' records can be so large. */
  eventBytes: 16 * 1024 ** 2,
  /** What one answer shows of the events of a source: so many, and about so many bytes of them, one event at least. */
  shownEvents: 1000,
  shownEventsBytes: 1024 * 1024,
  /** What one call reads of a source to find events, whichever comes first; the next call goes on behind it. */
  tracedRecords: 200_000,
  tracedBytes: 64 * 1024 ** 2,
  tracedMs: 4000,
  /** Events of which one answer says where they are. */
  tracedEvents: 100,
  /** Of a longer body the beginning is shown, and its size. */
  shownBodyBytes: 64 * 1024,
  /** One line of the dead letter table. Of a larger event only the head is kept. A topic may take less. */
  deadLetterBytes: 16 * 1024 ** 2,
  /** A record of an embedded topic, and of one on Kafka whose topology does not say otherwise. */
  recordBytes: 8 * 1024 ** 2,
  eventsPerRequest: 10_000,
  /** Records of one request of OTLP, and all of them as events: flattened, with their resources and scopes. */
  otlpRecords: 50_000,
  otlpRecordsBytes: 256 * 1024 ** 2,
  /** A record of OTLP that is larger as an event is rejected. */
  otlpRecordBytes: 1024 ** 2,
  /** A job whose process ends while it runs is begun again; after so many runs it ends in an error. */
  jobAttempts: 3,
  /** Ended jobs are kept for so long, and so many of them, the newest. */
  jobAgeMs: 90 * 24 * 3_600_000,
  endedJobs: 10_000,
  /** Of one job; what follows is not kept, and the last line says so. */
  jobEvents: 10_000,
  /** All lines of one job. */
  jobLogBytes: 4 * 1024 ** 2,
  /** A longer line of a job's log is cut. */
  jobEventBytes: 200 * 1000,
  /** Jobs that have not ended. */
  openJobs: 10_000,
  /** What a job is asked with: a configuration of its own, its values, its rows. */
  jobRequestBytes: 256 * 1024,
  jobDelayMs: 366 * 24 * 3_600_000,
  /** What one answer shows of jobs. */
  shownJobs: 500,
  shownJobsBytes: 16 * 1024 ** 2,
  shownJobEvents: 10_000,
  shownJobEventsBytes: 16 * 1024 ** 2,
  headersPerRequest: 256,
  /** Codings that `Content-Encoding` may list. */
  contentCodings: 3,
  /** Each event of a batch is stored with the headers of its request: so many bytes of them in all. */
  batchHeaderBytes: 16 * 1024 ** 2,
  jsonNesting: 300,
  /** Fields and files of a `multipart/form-data` body. */
  formParts: 1000,
  /** Values, including nested ones, in a decoded record of a Kafka producer and in a body that a template reads. */
  decodedValues: 1_000_000,
  /** Text of one schema of the registry with all that it refers to. */
  schemaBytes: 1024 * 1024,
  schemaReferences: 100,
  /** Past these a sink waits, and says so. */
  stagedSlices: 1000,
  /**
   * For how long a document may still come to name an object in staging: far longer than any upload takes. The clean-up
   * leaves unnamed objects alone until then, and seals that are older are refused.
   */
  uploadLeaseMs: 6 * 3_600_000,
  /** A process uploads slices of this many bytes in all side by side, or one larger slice; the others wait in order. */
  uploadBytesAtOnce: 64 * 1024 ** 2,
  /** An upload counts as at least this many of these bytes, so that no more than 32 are under way. */
  uploadBytesLeast: 2 * 1024 ** 2,
  /** A thread that stages holds the lines of so many slices in memory, each up to so many bytes; those of others in files. */
  lineBlocks: 8,
  lineBlockBytes: 2 * 1024 ** 2,
  /** A slice that waits longer for its upload and its seal is told in the status of its sink. */
  uploadSlowMs: 30_000,
  /** Requests, or records of producers, that get a span in a second, of each thread. */
  tracesPerSecond: 100,
  /** Traces whose records one append of the map stage follows. */
  tracesPerAppend: 64,
  /** Traces that a slice keeps, the first ones: the import goes on with these. */
  tracesPerSlice: 16,
  /** Traces of its slices that an import goes on with. */
  tracesPerImport: 256,
  /** Spans of a thread that wait for their export; past it they are dropped. */
  waitingSpans: 4096,
  /** An export of spans may take so long, with its repeats; a thread that ends waits as long for its last ones. */
  spanExportMs: 3000,
  /** One import takes at most so many slices. */
  slicesPerImport: 200,
  /** A batch of a replay looks at so many dead letters, or at so many bytes of them. */
  replayLetters: 1000,
  replayBytes: 8 * 1024 * 1024,
  /** Enabling is refused past this number of intervals. */
  intervals: 100,
  importHistory: 100,
  /** Jumps of the wall clock that are told beside samples, the newest. */
  clockJumps: 100,
  /** Samples that one report shows; of more, one of several. */
  shownSamples: 100_000,
  /** Of each partition of a sink; the oldest are forgotten. */
  passedIntervals: 20,
  /** Of a branch's audit trail; the oldest go first, some hundred at a time. */
  auditEntries: 5000,
  auditAgeMs: 90 * 24 * 3_600_000,
  /** A definition before or after a change is cut down to this. */
  auditDefinitionBytes: 32 * 1024,
  /** The document of a source that was deleted for good is kept for so long. */
  erasedSourceMs: 7 * 24 * 3_600_000,
  /** How long the holes of a deleted incarnation with nothing left to do ring, unless somebody acknowledges them. */
  lastRingMs: 24 * 3_600_000,
  /**
   * The wall clock and the monotonic one do not drift apart by more than this on their own: somebody has set the wall
   * clock.
   */
  clockDifferenceMs: 3_600_000,
  /** For so long the clocks must agree before records are removed by age again. */
  clockDoubtMs: 24 * 3_600_000,
  /** A slice that cannot be imported is given up when it has failed for so long, by the clock on the wall and by what processes saw. */
  stagedAgeMs: 7 * 24 * 3_600_000,
  /**
   * Two failures of a slice that are further apart than this do not prove that it failed in between. Longer than any
   * pause between two tries.
   */
  failureStepMs: 30 * 60_000,
  /**
   * Two looks of an importer at its clock that are further apart than this do not prove that it ran in between. It
   * looks every second, and a process whose main thread stands still for so long is ended.
   */
  importerStepMs: 60_000,
  /** A copy of a document that is older than what was read for so long does not only lag: the catalog may have been brought back. */
  oldCopyMs: 5000,
  /**
   * The same for retention, which looks at its clocks in each round: every five seconds, unless there is much to
   * remove.
   */
  runningStepMs: 30 * 60_000,
} as const;
