import { killJob } from '../../../control/operations/kill-job.ts';
import { requireJob } from '../../../control/store/find-job.ts';
import { jobPath } from '../../schemas/path.ts';
import { jobSchema, jobView } from '../../views/job-view.ts';
import { accepted, defineChange, defineRoute, ok } from '../../route/route.ts';

export const getJobRoute = defineRoute({
  method: 'GET',
  path: '/jobs/{jobId}',
  access: 'read',
  operationId: 'getJob',
  summary: 'Get a job; poll it until its status leaves `processing`.',
  params: jobPath,
  responses: { 200: { description: 'The job.', schema: jobSchema } },
  handle: async ({ params: { jobId } }, context, { signal }) => {
    const { addresses, clock } = context;
    return ok(jobView(await requireJob(context, jobId, { signal }), { addresses, now: clock.now() }));
  },
});

export const killJobRoute = defineChange({
  method: 'POST',
  path: '/jobs/{jobId}/kill',
  access: 'write',
  operationId: 'killJob',
  summary: 'End a job: one that waits is `cancelled`, one that runs becomes `terminated`, unless it is done before.',
  params: jobPath,
  refuses: ['jobEnded'],
  responses: { 202: { description: 'The job as it stands now.', schema: jobSchema } },
  handle: async ({ params: { jobId } }, context, { change, signal }) => {
    const { addresses, clock } = context;
    return accepted(jobView(await killJob(context, { jobId, change }, { signal }), { addresses, now: clock.now() }));
  },
});
