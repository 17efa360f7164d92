import type { ApiDependencies } from '../../src/api/dependencies.ts';
import { defaultBranch } from '../../src/core/ids.ts';
import { bySchedule } from '../../src/core/schedules/decide-run.ts';
import { makeJob } from '../../src/documents/make-job.ts';

/** Number of a job of the configuration `shop`, as its schedule asks for it, a second after 02:00 of the first day of 2026. */
export async function makeScheduledJob({
  catalog,
  loads,
}: Pick<ApiDependencies, 'catalog' | 'loads'>): Promise<string> {
  const request = {
    branchId: defaultBranch,
    componentId: 'generic-extractor',
    configurationId: 'shop',
    rowIds: [],
    mode: 'run',
    variableValues: [],
    scheduledFor: '2026-01-01T02:00:00.000Z',
  } as const;
  const created = { at: '2026-01-01T02:00:01.000Z', by: bySchedule };
  const { signal } = new AbortController();
  return (await makeJob({ catalog, loads }, { request, created, taker: 't' }, { signal })).jobId;
}
