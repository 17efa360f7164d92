import type { JobResult } from './job.ts';

/** What a job leaves for its next run: text of a JSON object, of its configuration or of one of its rows. */
export interface KeptState {
  readonly rowId?: string;
  readonly state: string;
}

/** What the ledger keeps of a job beside the tables that were loaded, so that whoever comes next can end it. */
export interface LoadNote {
  readonly result: JobResult;
  readonly states: readonly KeptState[];
}
