import { isCancellation, MillraceError } from '../../core/millrace-error.ts';

/**
 * What `starting` gives. A server that keeps the process from starting is `cluster.unfit`: it is not tried again by
 * itself.
 */
export async function explainedStart<Started>(starting: Promise<Started>): Promise<Started> {
  try {
    return await starting;
  } catch (thrown) {
    if (isCancellation(thrown) || !(thrown instanceof MillraceError) || !thrown.retryable) throw thrown;
    throw new MillraceError('cluster.unfit', thrown.message, { cause: thrown });
  }
}
