import type { RunsJobs } from '../../core/workforce.ts';
import type { Platform } from './platform.ts';

/** A cluster has processes that this one does not know. */
export function runsJobsOf({ roles, spec }: Pick<Platform, 'roles' | 'spec'>): RunsJobs {
  if (roles.has('work')) return 'here';
  return spec.kind === 'cluster' ? 'others' : 'nowhere';
}
