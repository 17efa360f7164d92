import type { ConfigurationKey } from '../configuration.ts';
import type { JobValue } from '../jobs/job.ts';
import type { Stamp } from '../source.ts';

/** What somebody says of a schedule. */
export interface ScheduleDefinition {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** Name of the IANA database whose clock on the wall the fields mean. */
  readonly timeZone: string;
  readonly isEnabled: boolean;
  /** Of its jobs: a row of the variable configuration, or values; not both. */
  readonly variableValuesId?: string;
  readonly variableValues: readonly JobValue[];
}

/** A run that a schedule has decided on. */
export interface ScheduledRun {
  /** The planned time, ISO. With the configuration it identifies the run: there is one job for it. */
  readonly plannedFor: string;
  /** ISO time of the decision. */
  readonly at: string;
  /** Number under which the job is made, and under no other. */
  readonly jobId: string;
  /** False until the job is known to stand: whoever finds it so makes it, under its number. */
  readonly isMade: boolean;
}

/** Why a planned time has no job. */
export const missedReasons = ['nobodyRan', 'stillRunning', 'tooManyJobs'] as const;
export type MissedReason = (typeof missedReasons)[number];

export interface MissedRun {
  readonly plannedFor: string;
  readonly at: string;
  readonly reason: MissedReason;
}

/** When a configuration is run without anybody asking, collection `schedule` under the id of the configuration. */
export interface Schedule extends ConfigurationKey, ScheduleDefinition {
  readonly created: Stamp;
  readonly updated: Stamp;
  /** Planned times up to here, ISO, it included, are behind: each has its job, or is told as one that has none. It only grows. */
  readonly decidedUntil: string;
  readonly lastRun?: ScheduledRun;
  /** Planned times without a job, since the schedule was made. */
  readonly missed: number;
  readonly lastMissed?: MissedRun;
}
