import { MillraceError } from '../../core/millrace-error.ts';
import type { Parts } from '../parts.ts';
import type { LockClaim } from '../tasks/object-locks.ts';

/** Does what can wait while nothing else is done to these objects; an object that is being changed is left for another time. */
export async function unlessBusy(
  { tasks }: Pick<Parts, 'tasks'>,
  claims: readonly LockClaim[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await tasks.alone({ claims }, work);
  } catch (thrown) {
    if (!(thrown instanceof MillraceError) || thrown.code !== 'object.busy') throw thrown;
  }
}
