import { createJob, type JobInput } from '../../../control/operations/create-job.ts';
import { ApiError } from '../../errors/api-error.ts';
import { createJobBody, type CreateJobBody } from '../../schemas/job-body.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { jobValuesOf } from '../../schemas/variable-values.ts';
import { jobSchema } from '../../views/job-view.ts';
import { requireMayRun } from './own-jobs.ts';
import { shownJob } from './shown-job.ts';
import { defineChange } from '../../route/route.ts';
import { headerOf } from './header-of.ts';

export const createJobRoute = defineChange({
  method: 'POST',
  path: '/jobs',
  access: 'writeComponent',
  operationId: 'createJob',
  summary: 'Create a job, which runs a configuration; `status` leaves `processing` when it has ended.',
  body: createJobBody,
  refuses: ['invalidJob', 'jobCountLimitReached'],
  responses: { 201: { description: 'The job.', schema: jobSchema } },
  handle: async ({ body }, context, { change, headers, token, signal }) => {
    requireMayRun(token, body.component);
    const input = inputOf(body, headerOf(headers, 'x-kbc-runid'));
    const job = await createJob(context, { input, change }, { signal });
    return { kind: 'json', status: 201, body: await shownJob(job, context, { signal }) };
  },
});

function inputOf(body: CreateJobBody, parentRunId: string | undefined): JobInput {
  const { branchId = 'default', component, config, configData, configRowIds = [], mode = 'run' } = body;
  const { tag, variableValuesId, variableValuesData, delay, delayedStartTime } = body;
  return {
    branchId: branchOf({ branchId }),
    component,
    configurationId: config,
    configurationData: configData === undefined || isEmpty(configData) ? undefined : JSON.stringify(configData),
    rowIds: configRowIds,
    mode,
    tag: tag === '' ? undefined : tag,
    variableValuesId,
    variableValues: jobValuesOf(variableValuesData),
    parentRunId: parentRunOf(parentRunId),
    delayMs: delay === undefined ? undefined : delay * 1000,
    startAt: delayedStartTime,
  };
}

function isEmpty(configuration: object): boolean {
  return Object.keys(configuration).length === 0;
}

function parentRunOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length <= 200 && /^[0-9A-Za-z_-]+(\.[0-9A-Za-z_-]+)*$/.test(text)) return text;
  const rule = 'must be numbers with dots between them, as a job shows them as its "runId"';
  throw new ApiError('invalidJob', `value of header "X-KBC-RunId" ${rule}`);
}
