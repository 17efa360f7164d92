import type { ConfigurationKey } from '../configuration.ts';
import type { Job } from './job.ts';

/**
 * What jobs share that must not run side by side: branch, component and configuration. A job without a configuration has a key of its
 * own. Whoever runs jobs hashes this key, so that all jobs with one key meet in one process.
 */
export function jobKey({ jobId, request }: Pick<Job, 'jobId' | 'request'>): string {
  const { branchId, componentId, configurationId } = request;
  if (configurationId !== undefined) return configurationJobKey({ branchId, componentId, configurationId });
  return `${branchId}/${componentId}/job:${jobId}`;
}

/** The key of the jobs of a configuration. */
export function configurationJobKey({ branchId, componentId, configurationId }: ConfigurationKey): string {
  return `${branchId}/${componentId}/configuration:${configurationId}`;
}
