import type { ComponentId } from '../component.ts';
import type { BranchId } from '../ids.ts';
import type { Stamp } from '../source.ts';

/** What a client sees: `processing` until the job has ended. */
export type JobStatus = 'processing' | 'success' | 'warning' | 'error' | 'terminated' | 'cancelled';

/** `run`: as configured; `forceRun`: also what is disabled; `debug`: tables are made and not loaded. */
export const jobModes = ['run', 'forceRun', 'debug'] as const;
export type JobMode = (typeof jobModes)[number];

export interface JobValue {
  readonly name: string;
  /** Of a secret its ciphertext for the component of the job; empty once nobody needs it any more. */
  readonly value: string;
  /** The configuration puts it at a key with `#`: it is shown to nobody. */
  readonly isSecret?: true;
}

/** What was asked for, as it was asked. */
export interface JobRequest {
  readonly branchId: BranchId;
  readonly componentId: ComponentId;
  /** Absent for a job whose configuration comes with it. */
  readonly configurationId?: string;
  /** JSON text of an object: in place of the stored configuration. */
  readonly configurationData?: string;
  /** Empty: all. */
  readonly rowIds: readonly string[];
  readonly mode: JobMode;
  readonly tag?: string;
  readonly variableValuesId?: string;
  /** Empty: none were given. */
  readonly variableValues: readonly JobValue[];
  readonly parentRunId?: string;
  /** The configuration's own schedule asked for it, at this minute. */
  readonly scheduledFor?: string;
  /** Not to be started before; ISO time. */
  readonly notBefore?: string;
}

/** The run of a job that is under way. */
export interface JobRun {
  /** From 1; a job whose process died is run again under the next number. */
  readonly attempt: number;
  /** The life of the process that runs it, never used again. */
  readonly owner: string;
  readonly startedAt: string;
}

export interface OutputTable {
  readonly tableId: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
}

/** What a job ended with. */
export interface JobResult {
  readonly message: string;
  /** Of the configuration that was run, where there is one. */
  readonly configurationVersion?: number;
  readonly tables: readonly OutputTable[];
  /** As they were put in. */
  readonly variables: readonly JobValue[];
  readonly error?: { readonly type: 'user' | 'application'; readonly exceptionId: string };
}

/** Where a job stands; a sum type by `phase`. */
export type JobProgress =
  | { readonly phase: 'created' }
  /** Others come first. */
  | { readonly phase: 'waiting' }
  /** `isEnding`: somebody has asked for its end. */
  | { readonly phase: 'running'; readonly run: JobRun; readonly isEnding: boolean }
  | {
      readonly phase: 'ended';
      readonly status: Exclude<JobStatus, 'processing'>;
      readonly endedAt: string;
      /** The last one; absent for a job that never ran. */
      readonly run?: JobRun;
      readonly result: JobResult;
    };

/** One run of a component's configuration, collection `job` under its number. */
export type Job = JobProgress & {
  /** A number as text, from one counter of the installation. */
  readonly jobId: string;
  readonly created: Stamp;
  readonly request: JobRequest;
  /** Its parent's, a dot and its own id; without a parent its id. Its log is found under it. */
  readonly runId: string;
};

/** Where a job stands, in one word. */
export type JobPhase = JobProgress['phase'] | 'terminating';

export function phaseOf(job: JobProgress): JobPhase {
  return job.phase === 'running' && job.isEnding ? 'terminating' : job.phase;
}

export function statusOf(job: JobProgress): JobStatus {
  return job.phase === 'ended' ? job.status : 'processing';
}
