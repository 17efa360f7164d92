/** Where the events of a sink or of one of its partitions are; every accepted one stands in exactly one of the others. */
export interface NumbersShape {
  readonly accepted: number;
  /** Rows in the table. */
  readonly imported: number;
  readonly staged: number;
  readonly inFlight: number;
  readonly dead: number;
  readonly filtered: number;
  readonly holes: number;
  readonly givenUp: number;
  readonly none: number;
  /** Anything but 0 is a defect. */
  readonly difference: number;
}

/** Why a role does not serve a sink. */
export interface TroubleShape {
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
  readonly takesEvents: boolean;
  /** Set when the numbers do not add up. */
  readonly alarm?: string;
  readonly totals: NumbersShape;
  readonly staged: { readonly nextImportAt?: string };
  readonly importing?: { readonly number: number; readonly startedAt: string };
  readonly parked?: { readonly slices: number; readonly rows: number; readonly dead: number; readonly since: string };
  readonly lastImport?: { readonly number: number; readonly at: string; readonly rows: number; readonly dead: number };
  readonly errors: readonly TroubleShape[];
}
