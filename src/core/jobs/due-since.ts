import type { Job } from './job.ts';

/** Since when a job could begin, milliseconds: one that was delayed waits from when it was due. */
export function dueSince({ created, request }: Pick<Job, 'created' | 'request'>): number {
  const asked = Date.parse(created.at);
  return request.notBefore === undefined ? asked : Math.max(asked, Date.parse(request.notBefore));
}
