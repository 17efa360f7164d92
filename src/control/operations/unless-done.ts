import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** Does it. After an unclear answer it is looked up whether it happened. */
export async function unlessDone(
  work: () => Promise<void>,
  isDone: () => Promise<boolean>,
  { signal }: Waiting,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (signal.aborted || !MillraceError.fromUnknown(thrown).retryable) throw thrown;
    if (!(await isDone().catch(() => false))) throw thrown;
  }
}
