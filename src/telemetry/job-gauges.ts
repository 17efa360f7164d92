import type { Telemetry } from './telemetry.ts';

/** Jobs of the installation that could begin and have not, and who would run them. */
export interface JobsMeasure {
  readonly waiting: number;
  readonly oldestMs: number;
  readonly workers: number;
}

/** Sets what every process with the role admin measures of jobs. */
export function jobsMeasured({ metrics }: Telemetry, { waiting, oldestMs, workers }: JobsMeasure): void {
  metrics.gauge('millrace_unbegun_jobs').set({}, waiting);
  metrics.gauge('millrace_unbegun_job_oldest_seconds').set({}, oldestMs / 1000);
  metrics.gauge('millrace_work_processes').set({}, workers);
}
