import { killJob } from '../../../control/operations/kill-job.ts';
import { jobPath } from '../../schemas/path.ts';
import { jobSchema } from '../../views/job-view.ts';
import { requireSeenJob } from './own-jobs.ts';
import { shownJob } from './shown-job.ts';
import { accepted, defineChange, defineRoute, ok } from '../../route/route.ts';

export const getJobRoute = defineRoute({
  method: 'GET',
  path: '/jobs/{jobId}',
  access: 'readComponent',
  operationId: 'getJob',
  summary: 'Get a job; poll it until its status leaves `processing`.',
  params: jobPath,
  responses: { 200: { description: 'The job.', schema: jobSchema } },
  handle: async ({ params: { jobId } }, context, { token, signal }) => {
    return ok(await shownJob(await requireSeenJob(context, { jobId, token }, { signal }), context, { signal }));
  },
});

export const killJobRoute = defineChange({
  method: 'POST',
  path: '/jobs/{jobId}/kill',
  access: 'writeComponent',
  operationId: 'killJob',
  summary: 'End a job: one that waits is `cancelled`, one that runs becomes `terminated`, unless it is done before.',
  params: jobPath,
  refuses: ['jobEnded'],
  responses: { 202: { description: 'The job as it stands now.', schema: jobSchema } },
  handle: async ({ params: { jobId } }, context, { change, token, signal }) => {
    await requireSeenJob(context, { jobId, token }, { signal });
    return accepted(await shownJob(await killJob(context, { jobId, change }, { signal }), context, { signal }));
  },
});
