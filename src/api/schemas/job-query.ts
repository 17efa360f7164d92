import { z } from 'zod';
import { jobOrders } from '../../core/jobs/job-order.ts';
import { limits } from '../../core/limits.ts';
import { shown } from '../errors/validation-error.ts';
import { integerText, maybe } from './field.ts';

/** One value, several separated by commas, or a parameter with `[]` several times. */
function several(description: string) {
  return maybe(z.string().transform((text) => text.split(',').map((one) => one.trim()))).meta({
    type: 'string',
    description: `${description} Several are separated by commas, or given as \`[]\` each.`,
  });
}

function moment(name: string) {
  return maybe(
    z.string().transform((text, context) => {
      const ms = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text)
        ? Date.parse(text.replace(/ (?=[0-9]{2}:?[0-9]{2}$)/, '+'))
        : Number.NaN;
      if (!Number.isNaN(ms)) return ms;
      context.addIssue({
        code: 'custom',
        params: { name: 'invalidFormat' },
        message: `"${name}" must be a time as 2026-11-21T18:00:00Z but got value ${shown(text)}`,
      });
      return z.NEVER;
    }),
  ).meta({ type: 'string' });
}

function whole(name: string) {
  return maybe(integerText({ name, min: 0, max: 999_999_999_999 }));
}

export const jobQuery = z.object({
  id: several('Numbers of jobs.'),
  runId: several('Run ids.'),
  parentRunId: several('Run ids of parents.'),
  branchId: several('Numbers of branches.'),
  tokenId: several('Ids of the tokens that they were created with.'),
  component: several('Ids of components.'),
  config: several('Ids of configurations.'),
  configRowIds: several('Rows that were asked for.'),
  mode: several('`run`, `forceRun` or `debug`.'),
  status: several('Statuses, or phases: `waiting`.'),
  isScheduled: maybe(z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')).meta({
    description: '`true`: only those that a schedule asked for; `false`: only the others.',
  }),
  type: several('`standard`: there are no others.'),
  createdTimeFrom: moment('createdTimeFrom'),
  createdTimeTo: moment('createdTimeTo'),
  startTimeFrom: moment('startTimeFrom'),
  startTimeTo: moment('startTimeTo'),
  endTimeFrom: moment('endTimeFrom'),
  endTimeTo: moment('endTimeTo'),
  durationSecondsFrom: whole('durationSecondsFrom'),
  durationSecondsTo: whole('durationSecondsTo'),
  offset: whole('offset').meta({ description: '0 when absent.' }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.shownJobs })).meta({ description: '100 when absent.' }),
  sortBy: maybe(z.enum(jobOrders)).meta({ description: '`id` when absent.' }),
  sortOrder: maybe(z.enum(['asc', 'desc'])).meta({ description: '`desc` when absent.' }),
});

export type JobQuery = z.output<typeof jobQuery>;
