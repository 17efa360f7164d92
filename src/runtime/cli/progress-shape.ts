/** The conservation numbers of one partition; every accepted event stands in exactly one of the others. */
export interface PartitionShape {
  readonly partition: number;
  readonly accepted: number;
  readonly inFlight: number;
  readonly staged: number;
  readonly rows: number;
  readonly dead: number;
  readonly filtered: number;
  readonly holes: number;
  readonly none: number;
  readonly givenUp: number;
  /** Anything but 0 is a defect. */
  readonly difference: number;
}

export interface AlarmShape {
  readonly role: string;
  readonly code: string;
  readonly message: string;
  readonly since: string;
  readonly nextTryAt: string;
}

/** What `GET …/sinks/{sinkId}/progress` says, as far as the commands read it. */
export interface ProgressShape {
  readonly sourceId: string;
  readonly sinkId: string;
  readonly partitions: readonly PartitionShape[];
  readonly lastImport?: { readonly number: number; readonly at: string; readonly rows: number; readonly dead: number };
  readonly alarms?: readonly AlarmShape[];
}
