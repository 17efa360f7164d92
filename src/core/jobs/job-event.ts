import type { ComponentId } from '../component.ts';
import type { BranchId } from '../ids.ts';

export const jobEventTypes = ['info', 'success', 'warn', 'error'] as const;
export type JobEventType = (typeof jobEventTypes)[number];

/** A line of the log of a job, collection `job-event`. */
export interface JobEvent {
  /** UUID of version 7: those of one job are in order. */
  readonly eventId: string;
  readonly jobId: string;
  readonly runId: string;
  readonly branchId: BranchId;
  readonly componentId: ComponentId;
  readonly configurationId?: string;
  readonly type: JobEventType;
  readonly message: string;
  /** ISO time. */
  readonly created: string;
}
