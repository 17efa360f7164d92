import type { JobResult } from './job.ts';

/**
 * What a job keeps a state for: its configuration, or one of its rows. Another one may have its id by now, so it is known by when it was
 * made, too.
 */
export interface StateOwner {
  readonly rowId?: string;
  readonly createdAt: string;
}

/** What a job leaves for its next run. */
export interface KeptState extends StateOwner {
  /** Text of a JSON object. */
  readonly state: string;
}

/** What the ledger keeps of a job beside the tables that were loaded, so that whoever comes next can end it. */
export interface LoadNote {
  readonly result: JobResult;
  readonly states: readonly KeptState[];
}
