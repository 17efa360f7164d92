import { noJob, requireJob } from '../../../control/store/find-job.ts';
import { componentOf, components, type ComponentId } from '../../../core/component.ts';
import type { Job } from '../../../core/jobs/job.ts';
import { mayReadComponent, mayWriteComponent, type Token } from '../../../core/token.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { noAccess } from '../../errors/no-access.ts';

/** Components whose jobs the caller may see. */
export function seenComponents(caller: Token | undefined): readonly ComponentId[] {
  return components.map(({ id }) => id).filter((id) => caller !== undefined && mayReadComponent(caller, id));
}

/** A job that the caller may see; one of another component is as good as none: `job.notFound`. */
export async function requireSeenJob(
  context: Pick<ApiContext, 'catalog'>,
  { jobId, token }: { readonly jobId: string; readonly token: Token | undefined },
  options: Waiting,
): Promise<Job> {
  const job = await requireJob(context, jobId, options);
  if (!seenComponents(token).includes(job.request.componentId)) throw noJob(jobId);
  return job;
}

/** `forbidden` when the caller may not run this component. One that is not there is found to be missing later. */
export function requireMayRun(caller: Token | undefined, component: string): void {
  const id = componentOf(component)?.id;
  if (id === undefined || (caller !== undefined && mayWriteComponent(caller, id))) return;
  throw new ApiError('forbidden', noAccess);
}
