import { z } from 'zod';
import { searchJobs, type JobFilter } from '../../../control/reports/search-jobs.ts';
import { componentOf, type ComponentId } from '../../../core/component.ts';
import type { ApiContext } from '../../api-context.ts';
import { jobQuery, type JobQuery } from '../../schemas/job-query.ts';
import { jobSchema } from '../../views/job-view.ts';
import { seenComponents } from './own-jobs.ts';
import { shownJobs } from './shown-job.ts';
import { defineRoute, ok, type Call, type Reply } from '../../route/route.ts';

const described = {
  method: 'GET',
  access: 'readComponent',
  query: jobQuery,
  responses: {
    200: { description: 'Jobs that fit, the newest first unless asked otherwise.', schema: z.array(jobSchema) },
  },
} as const;

export const searchJobsRoute = defineRoute({
  ...described,
  path: '/search/jobs',
  operationId: 'searchJobs',
  summary: 'List jobs by what they are.',
  handle: answer,
});

export const listJobsRoute = defineRoute({
  ...described,
  path: '/jobs',
  operationId: 'listJobs',
  summary: 'List jobs, as `/search/jobs`.',
  handle: answer,
});

async function answer(
  { query }: { readonly query: JobQuery },
  context: ApiContext,
  { token, signal }: Call,
): Promise<Reply> {
  const { offset = 0, limit = 100, sortBy = 'id', sortOrder = 'desc', type } = query;
  // There are no others.
  if (type !== undefined && !type.includes('standard')) return ok([]);
  const search = { filter: filterOf(query, seenComponents(token)), offset, limit, sortBy, sortOrder };
  const jobs = await searchJobs(context, search, { signal });
  return ok(await shownJobs(jobs, context, { signal }));
}

/** No job of a component fits that is not among those that are seen. */
function filterOf(query: JobQuery, seen: readonly ComponentId[]): JobFilter {
  const { id, runId, parentRunId, branchId, tokenId, component, config, configRowIds, mode, status, isScheduled } =
    query;
  return {
    id,
    runId,
    parentRunId,
    branchId: branchId?.map((branch) => (branch === 'default' ? '1' : branch)),
    tokenId,
    component:
      component === undefined ? seen : seen.filter((id) => component.some((one) => componentOf(one)?.id === id)),
    config,
    configRowIds,
    mode,
    status,
    isScheduled,
    between: {
      createdTime: { from: query.createdTimeFrom, to: query.createdTimeTo },
      startTime: { from: query.startTimeFrom, to: query.startTimeTo },
      endTime: { from: query.endTimeFrom, to: query.endTimeTo },
      durationSeconds: { from: query.durationSecondsFrom, to: query.durationSecondsTo },
    },
  };
}
