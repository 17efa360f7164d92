import type { ComponentId } from '../../src/core/component.ts';
import { defaultBranch } from '../../src/core/ids.ts';
import type { Job, JobRequest } from '../../src/core/jobs/job.ts';

const componentId: ComponentId = 'generic-extractor';

/** A job that was created a moment ago. */
export function createdJob(jobId: string, request: Partial<JobRequest> = {}): Job {
  return {
    jobId,
    runId: jobId,
    phase: 'created',
    created: { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } },
    request: { branchId: defaultBranch, componentId, rowIds: [], mode: 'run', variableValues: [], ...request },
  };
}
