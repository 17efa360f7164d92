import type { Family } from '../../route/family.ts';
import { createJobRoute } from './create-job.ts';
import { getJobRoute, killJobRoute } from './job.ts';
import { listEventsOfJobsRoute } from './list-events.ts';
import { listJobsRoute, searchJobsRoute } from './search-jobs.ts';

/** Jobs, and their logs, which are events of the storage interface. */
export const jobsFamily: Family = {
  name: 'jobs',
  routes: [createJobRoute, listJobsRoute, searchJobsRoute, getJobRoute, killJobRoute, listEventsOfJobsRoute],
};
